import { Type } from "@sinclair/typebox";
import type { ApiServer } from "../api-server.ts";

export function addOpenApiRoute(app: ApiServer): void {
  const schema = {
    summary: "This document.",
    response: { 200: Type.Record(Type.String(), Type.Unknown(), { description: "OpenAPI 3.1" }) },
  };
  app.get("/api/openapi.json", { schema }, async () => ({ ...app.swagger() }));
}

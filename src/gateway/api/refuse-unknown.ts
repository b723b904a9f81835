import type { FastifyRequest, RouteOptions } from "fastify";
import type { ApiServer } from "./api-server.ts";
import { Refusal } from "./refusal.ts";

interface KnownRoute {
  readonly methods: readonly string[];
  readonly segments: readonly string[];
}

/**
 * Refuses paths that are not there with 404, and methods that a path does not have with 405. Called before the first
 * route is added.
 */
export function refuseUnknown(app: ApiServer): void {
  const routes: KnownRoute[] = [];
  app.addHook("onRoute", ({ method, url }: RouteOptions) => {
    routes.push({ methods: [method].flat(), segments: url.split("/") });
  });
  app.setNotFoundHandler((request: FastifyRequest) => {
    const path = request.url.replace(/[?#].*$/s, "");
    const allowed = routes.filter(({ segments }) => isMatch(segments, path.split("/")));
    if (allowed.length === 0) throw new Refusal(404, `there is nothing at ${path.slice(0, 200)}`);
    const methods = [...new Set(allowed.flatMap((route) => route.methods))].join(", ");
    throw new Refusal(405, `${request.method} is not allowed here, only ${methods}`, { allow: methods });
  });
}

function isMatch(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.length !== path.length) return false;
  return pattern.every((segment, index) => segment.startsWith(":") || segment === path[index]);
}

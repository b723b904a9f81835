import { VERSION } from "../../base/version.ts";

/** The head of the OpenAPI document; the rest is made from the schemas of the routes. */
export function describeApi() {
  return {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Sortie challenge gateway",
        version: VERSION,
        description:
          'What contestants and simulators call. Every refusal is `{status: "error", error: TEXT}`.',
      },
      components: {
        securitySchemes: {
          login: { type: "http" as const, scheme: "bearer", bearerFormat: "JWT" },
          simulator: {
            type: "apiKey" as const,
            in: "header",
            name: "Authorization",
            description: "`Api-Key KEY`, a key of the simulators of one board.",
          },
        },
      },
    },
  };
}

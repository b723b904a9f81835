import { defineErrors } from "./define.ts";

export const wireErrors = defineErrors({
  session_id_too_long: {
    exit: 5,
    message: "A session id of {bytes} bytes cannot be sent: a frame takes at most {most}.",
    hint: "Shorten the session id; the gateway would drop the connection over this frame.",
  },
  worker_frame_too_long: {
    exit: 5,
    message: "A frame of {bytes} cannot be sent to the handler: at most {most} fit.",
    hint: "Send smaller observations or actions.",
  },
});

/**
 * In our gateway's 101: where a session goes on over this link, a `resume` comes before its next observation, however late
 * the network brings it. So silence says nothing about a reply, and an agent waits. The platform sends no such header.
 */
export const RESUME_HEADER = "sortie-resume";

/** What the header says; any other value says nothing. */
export const RESUME_FOLLOWS = "follows";

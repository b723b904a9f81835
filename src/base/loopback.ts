/** Whether a host, as a URL names it, is this machine and nowhere else. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Why a text is no address of a gateway, a clause for people that repeats nothing of it but the scheme; undefined for one that is. */
export function findGatewayUrlFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^[a-z]+:\/\//i.test(text)) return "it cannot be read as a URL";
  if (/^https?:$/.test(url.protocol))
    return `write ${url.protocol === "http:" ? "ws" : "wss"}:// instead of ${url.protocol}//`;
  if (!/^wss?:$/.test(url.protocol)) return `${url.protocol}// is no WebSocket`;
  if (url.username !== "" || url.password !== "") return "a user name in it would be sent to whoever answers";
  return text.includes("#") ? "there is a # in it" : undefined;
}

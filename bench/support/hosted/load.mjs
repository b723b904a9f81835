import { Agent, get } from "node:http";

/**
 * Makes so many requests over so many connections that stay open, each as soon as the one before is answered; requests a
 * second.
 */
export function makeLoad(url, headers, { connections, requests }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const runOne = async (left) => {
    while (left.count > 0) {
      left.count -= 1;
      await request(url, headers, agent);
    }
  };
  return {
    run: async () => {
      const left = { count: requests };
      const startedMs = performance.now();
      await Promise.all(Array.from({ length: connections }, () => runOne(left)));
      return (requests * 1000) / (performance.now() - startedMs);
    },
    close: () => agent.destroy(),
  };
}

function request(url, headers, agent) {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      response.resume().once("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    }).once("error", reject);
  });
}

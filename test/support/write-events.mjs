// Opens a home folder the moment that a file appears, and adds so many events to its database. Its argument is JSON.
import { existsSync, writeFileSync } from "node:fs";
import { closeDesk, openDesk } from "../../dist/index.js";

const { name, count, ready, go } = JSON.parse(process.argv[2]);
writeFileSync(`${ready}/${name}`, "");
while (!existsSync(go)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
const desk = openDesk({ env: process.env, self: [] });
for (let number = 0; number < count; number += 1) {
  desk.store.together(() => {
    const { next } = desk.store.find("SELECT coalesce(max(id), 0) + 1 AS next FROM events");
    desk.store.change("INSERT INTO events VALUES (?, ?, ?, ?, ?)", next, name, "now", String(number), "{}");
  });
}
closeDesk(desk);

/** The arrows between rooms as lint rules. The table itself is contributing/arrows.json; test/arrows.test.ts holds it. */
const { rooms, doors } = require("./contributing/arrows.json");

const roomNames = rooms.map(({ room }) => room);

function makeArrowRule(name, from, mayImport) {
  return {
    name,
    severity: "error",
    comment: "A room imports only the rooms that its row in contributing/arrows.json names.",
    from: { path: from },
    to: { path: "^src/", pathNot: `^src/(${mayImport.join("|")})/` },
  };
}

module.exports = {
  forbidden: [
    ...rooms.map(({ room, mayImport }) =>
      makeArrowRule(`arrows-of-${room}`, `^src/${room}/`, [room, ...mayImport]),
    ),
    ...doors.map(({ door, mayImport }) =>
      makeArrowRule(`arrows-of-door-${door}`, `^src/${door}\\.ts$`, mayImport),
    ),
    {
      name: "room-not-in-table",
      severity: "error",
      comment: "A new folder of src/ gets a row in contributing/arrows.json first.",
      from: {
        path: "^src/",
        pathNot: [
          `^src/(${roomNames.join("|")})/`,
          `^src/(${doors.map(({ door }) => door).join("|")})\\.ts$`,
        ],
      },
      to: {},
    },
    ...rooms
      .filter(({ apart }) => apart)
      .map(({ room }) => ({
        name: `folders-apart-in-${room}`,
        severity: "error",
        comment: "What two of these folders share belongs to the room itself or below it.",
        from: { path: `^src/${room}/([^/]+)/` },
        to: { path: `^src/${room}/[^/]+/`, pathNot: `^src/${room}/$1/` },
      })),
    {
      name: "pure-rooms",
      severity: "error",
      comment: "These rooms touch no file, process or socket: what they need is handed to them.",
      from: {
        path: `^src/(${rooms
          .filter(({ pure }) => pure)
          .map(({ room }) => room)
          .join("|")})/`,
      },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "processes-in-one-room",
      severity: "error",
      comment: "Only src/process starts processes.",
      from: { path: "^src/", pathNot: "^src/process/" },
      to: { path: "^(node:)?child_process$" },
    },
    {
      name: "no-cycles",
      severity: "error",
      comment: "Two files that need each other are one file, or hide a third.",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-orphans",
      severity: "error",
      comment: "A file that nothing imports and that imports nothing is left over.",
      from: {
        orphan: true,
        pathNot: ["\\.d\\.ts$", `^src/(${doors.map(({ door }) => door).join("|")})\\.ts$`],
      },
      to: {},
    },
    {
      name: "nothing-missing",
      severity: "error",
      comment: "An import leads to a file or to a package of `dependencies`; types may come from elsewhere.",
      from: {},
      to: {
        dependencyTypes: ["unknown", "undetermined", "npm-dev", "npm-no-pkg", "npm-unknown"],
        dependencyTypesNot: ["type-only"],
      },
    },
  ],
  options: {
    exclude: { path: "\\.test\\.ts$" },
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};

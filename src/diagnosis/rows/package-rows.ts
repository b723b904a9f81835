import { defineRows, ENVIRONMENT, EVERYWHERE } from "../diagnosis-row.ts";

const stages = EVERYWHERE;

/** Python packages that are missing, or of versions that do not go together. */
export const packageRows = defineRows([
  {
    code: "numpy_pin",
    layer: "spec",
    when: {
      stages,
      log: {
        in: "exception",
        line: /numpy\.dtype size changed|compiled using NumPy 1\.x cannot be run|_ARRAY_API not found|numpy\.core\.multiarray failed to import|compiled against (ABI|API) version \S+ but this version of numpy/,
      },
    },
    cause: "A compiled package was built for another version of numpy than the installed one.",
    next: 'Pin numpy where the package is installed ("numpy<2" for those built before 2024), or take its newer version.',
  },
  {
    code: "numpy_pin",
    layer: "spec",
    when: {
      stages,
      log: {
        in: "exception",
        line: /`?np\.\w+`? was removed in the NumPy|module 'numpy' has no attribute '(bool|int|float|object|str|long|complex)'/,
      },
    },
    cause: "The code uses a name that the installed numpy no longer has.",
    next: 'Pin an older numpy ("numpy<1.24" for np.int and its like, "numpy<2" for np.float_), or change the code.',
  },
  {
    code: "jaxlib_pin",
    layer: "spec",
    when: {
      stages,
      log: { in: "end", line: /jaxlib (version|is version) \S+.*(incompatible|requires version)/ },
    },
    cause: "jax and jaxlib are of two releases.",
    next: 'Name them as one requirement, such as "jax[cuda12]", and pin that alone.',
  },
  {
    code: "protobuf_pin",
    layer: "spec",
    when: { stages, log: { in: "exception", line: /Descriptors cannot (not )?be created directly/ } },
    cause: "A package holds code generated for an older protobuf than the installed one.",
    next: 'Pin "protobuf<3.21" (or "protobuf<4"), or take a newer version of the package.',
  },
  {
    code: "name_missing",
    layer: "resolution",
    when: {
      stages,
      log: {
        in: "end",
        line: /ImportError: cannot import name '(?<name>\w+)' from '(?<module>[\w.]+)' \(.*(site|dist)-packages/,
      },
    },
    cause:
      "The installed {module} has no {name}: it is of a newer or older version than those who use it expect.",
    next: "Pin the version of {module} that the package naming {name} was written for.",
  },
  {
    code: "module_hidden",
    layer: "resolution",
    when: { stages, log: { in: "end", line: /partially initialized module '(?<module>[\w.]+)'/ } },
    cause: "{module} is asked for something while it is still being read: it imports itself in a circle.",
    next: "See that no file of the project has the name of a package ({module}.py hides it); else move one of the imports.",
  },
  {
    code: "missing_module",
    layer: "spec",
    when: {
      stages: ENVIRONMENT,
      log: { in: "end", line: /No module named '?(?<module>[\w.]+)'?/ },
    },
    cause: "Python's module {module} is not installed in the environment.",
    next: "Name the package that has {module} in `pip_phases`, or correct the name where it is imported.",
  },
]);

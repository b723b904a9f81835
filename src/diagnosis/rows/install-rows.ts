import { defineRows, type Stage } from "../diagnosis-row.ts";

const stages: readonly Stage[] = ["build"];
const UNREACHED =
  /NewConnectionError|Failed to establish a new connection|name resolution|ConnectTimeoutError|Network is unreachable|Connection refused/;

/** What pip, uv and conda say where packages cannot be had or do not go together. */
export const installRows = defineRows([
  {
    code: "disk_full",
    layer: "disk",
    when: { stages, log: { in: "end", line: /No space left on device|ENOSPC|Disk quota exceeded/ } },
    cause: "The disk that the environment is built on, or that of the temporary folder, is full.",
    next: "Free space there (`df -h`, `quota`), or name a larger disk by `env_dir`; TMPDIR moves what pip unpacks.",
    proves: "disk_full",
  },
  {
    code: "requirements_conflict",
    layer: "resolution",
    when: {
      stages,
      log: {
        in: "end",
        line: /Cannot install (?<packages>.*?) because these package versions have conflicting dep/,
      },
    },
    cause: "No versions of {packages} go together: each wants another one of a third package.",
    next: "The log names who wants what: loosen one of these pins in `pip_phases`, then build again.",
  },
  {
    code: "package_missing",
    layer: "spec",
    when: {
      stages,
      log: {
        in: "end",
        line: /Because (there (is no version|are no versions) of )?(?<package>\S+) (was not found in the (package registry|provided)|and you require)/,
      },
    },
    cause: "There is no package {package} where uv was told to look.",
    next: "Check its spelling; one that another index has needs --extra-index-url in its phase.",
  },
  {
    code: "python_unsuitable",
    layer: "spec",
    when: {
      stages,
      log: {
        in: "end",
        line: /requires a different Python: \S+ not in |Because \S+ requires Python |the current Python version .* does not satisfy/,
      },
    },
    cause: "A package does not support the Python of this environment.",
    next: "Name a Python that it supports in `base` (as in `python:3.11`), or pin a version of the package that supports this one.",
  },
  {
    code: "python_unsuitable",
    layer: "spec",
    when: {
      stages,
      log: {
        in: "end",
        line: /Ignored the following versions that require a different python version/,
        beside: /\(from versions: none\)/,
      },
    },
    cause: "Every version of a package is for another Python than this environment's.",
    next: "Name a Python that it supports in `base` (as in `python:3.11`), or pin a version of the package that supports this one.",
  },
  {
    code: "wheel_unsuitable",
    layer: "spec",
    when: {
      stages,
      log: {
        in: "end",
        line: /\.whl is not a supported wheel on this platform|no wheels with a matching (Python|ABI|platform)|source distribution or wheel for the current platform/i,
      },
    },
    cause: "A package is there as a wheel of another Python, processor or system alone.",
    next: "A wheel's name tells what it is for: take the one for this host, change `base`, or name a version that has one.",
  },
  {
    code: "requirements_conflict",
    layer: "resolution",
    when: {
      stages,
      log: { in: "end", line: /Because .* (incompatible|unsatisfiable)\.$|depends on .*, but .* depends on/ },
    },
    cause: "No versions of the packages go together.",
    next: "The log names who wants what: loosen one of these pins, then build again.",
  },
  {
    code: "requirements_conflict",
    layer: "resolution",
    when: {
      stages,
      log: {
        in: "end",
        line: /No solution found when resolving|LibMambaUnsatisfiableError|^UnsatisfiableError|ResolutionImpossible/,
      },
    },
    cause: "No versions of the packages go together.",
    next: "The log names who wants what: loosen one of these pins, then build again.",
  },
  {
    code: "hash_mismatch",
    layer: "spec",
    when: {
      stages,
      log: { in: "end", line: /DO NOT MATCH THE HASHES|Hash mismatch for|ChecksumMismatchError/ },
    },
    cause: "A package's file is not the one whose hash is written down.",
    next: "Fetch it anew (`pip cache purge`); where it stays so, find out who changed the file before you change the hash.",
  },
  {
    code: "hash_missing",
    layer: "spec",
    when: { stages, log: { in: "end", line: /all requirements must have their (versions pinned|hashes)/i } },
    cause: "Some requirements of a phase have hashes and others have none, which pip refuses.",
    next: "Give each of them a hash, dependencies too (`pip-compile --generate-hashes`), or none.",
  },
  {
    code: "certificate",
    layer: "network",
    when: { stages, log: { in: "end", line: /CERTIFICATE_VERIFY_FAILED|invalid peer certificate/ } },
    cause: "The index shows a certificate that this host does not trust: often that of a proxy between.",
    next: "Name the proxy's certificate in PIP_CERT, SSL_CERT_FILE or `pip config set global.cert FILE` on that host.",
  },
  {
    code: "index_unreachable",
    layer: "network",
    when: { stages, log: { in: "end", line: /Retry\(total=0\b|Max retries exceeded/, beside: UNREACHED } },
    cause: "pip could not reach its index from this host.",
    next: "Set a proxy or an index that can be reached there (HTTPS_PROXY, PIP_INDEX_URL), or put wheels on the host and add --no-index --find-links FOLDER to the phase.",
  },
  {
    code: "index_unreachable",
    layer: "network",
    when: {
      stages,
      log: {
        in: "end",
        line: /tcp connect error|dns error\b|Could not connect, are you offline|CondaHTTPError: HTTP 000|Could not resolve host/,
      },
    },
    cause: "The place that packages come from could not be reached from this host.",
    next: "Set a proxy or a mirror that can be reached there (HTTPS_PROXY, UV_INDEX_URL, conda's channels), or build where there is a network.",
  },
  {
    code: "access_refused",
    layer: "network",
    when: {
      stages,
      log: { in: "end", line: /40[13] (Client )?Error|could not read Username|Authentication failed/ },
    },
    cause: "The place that a package comes from refused access.",
    next: "Log in on that host (~/.netrc, `pip config`, an ssh key for git): a password has no place in the spec.",
  },
  {
    code: "repository_unreachable",
    layer: "network",
    when: {
      stages,
      log: {
        in: "end",
        line: /fatal: (repository .* not found|.* does not appear to be a git repository|unable to access .*)|ERROR: Repository not found/,
      },
    },
    cause: "A git repository that a package comes from is not there, or not for this account.",
    next: "Try `git ls-remote ADDRESS` on that host; a private one needs an ssh key there, a password has no place in the spec.",
  },
  {
    code: "package_missing",
    layer: "spec",
    when: { stages, log: { in: "end", line: /No matching distribution found for (?<package>\S.*)/ } },
    cause:
      "pip found nothing that is {package}: a name or version misspelt, none for this Python and platform, or its index was not reached or not named.",
    next: "The line above it lists the versions that there are; one that another index has needs --extra-index-url in its phase.",
  },
  {
    code: "package_missing",
    layer: "spec",
    when: { stages, log: { in: "end", line: /PackagesNotFoundError|ResolvePackageNotFound/ } },
    cause: "conda's channels have no such package for this platform.",
    next: "The log names it: correct it, add its channel (conda-forge), or install it by pip.",
  },
  {
    code: "requirement_unreadable",
    layer: "spec",
    when: {
      stages,
      log: {
        in: "end",
        line: /Invalid requirement: |Could not open requirements file|Failed to parse: |^error: File not found: |is not a valid editable requirement|Expected package name/,
      },
    },
    cause: "A phase names a requirement that cannot be read, or a file that is not there.",
    next: "Correct it in `pip_phases`; files count from the project's folder, and what git ignores is not sent to other hosts.",
  },
  {
    code: "conda_terms",
    layer: "build",
    when: {
      stages,
      log: { in: "end", line: /CondaToSNonInteractiveError|Terms of Service have not been acc/ },
    },
    cause: "conda's default channels ask for a consent that nobody has given on this host.",
    next: "Give it there with `conda tos accept`, or use conda-forge alone.",
  },
]);

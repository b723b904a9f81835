import { hashSpecFile } from "../../env/spec/load-spec.ts";

/** Hash, canonical JSON and warnings of any YAML or JSON file. @throws spec_missing, spec_unreadable, spec_bad */
export const hashFile = hashSpecFile;

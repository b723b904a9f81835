import { describeFault } from "../../base/error.ts";
import type { ApiHost } from "../api/api-host.ts";
import type { PolicyDoor } from "../policy-port/policy-door.ts";
import type { ChallengeDesk } from "./challenge-desk.ts";
import type { ChallengeJobs } from "./challenge-jobs.ts";
import type { ChallengeOptions } from "./challenge-options.ts";
import { scoreCase } from "./score-case.ts";

export interface ApiParts {
  readonly policyDoor: PolicyDoor;
  readonly findTunnelUrl: () => string;
  readonly options: ChallengeOptions;
}

/** What the challenge API sees of the gateway. */
export function makeApiHost(desk: ChallengeDesk, jobs: ChallengeJobs, parts: ApiParts): ApiHost {
  const { config, records, signingKey, clock, recorder, metrics, report } = desk;
  const { policyDoor, findTunnelUrl, options } = parts;
  const reportFault = (fault: unknown) => report("", "", { type: "server_fault", why: describeFault(fault) });
  return {
    ...{ config, records, clock, signingKey, tunnelEndpoint: findTunnelUrl },
    openSimulators: options.openSimulators ?? false,
    openJob(id) {
      try {
        jobs.open(id);
      } catch (fault) {
        reportFault(fault); // the job is on record, and opened within a second
      }
    },
    findLiveJob: (id) => jobs.describe(id),
    scoreCase: (caseId, score) => scoreCase(desk, { door: policyDoor, jobs }, caseId, score),
    findRecording: (file) => recorder?.findRecording(file),
    countRequest: metrics.countRequest,
    countLoginRefused: metrics.countLoginRefused,
    reportFault,
  };
}

import { planAddUser } from "../../../supervise/host/add-user.ts";
import { defineChange } from "../../define-change.ts";
import { type PasswordOptions, readPasswordCall } from "../../read-password.ts";

interface AddOptions extends PasswordOptions {
  name?: string;
  quota?: string;
  parallelism?: string;
}

export const command = defineChange<AddOptions>({
  describe: (c) =>
    c
      .argument("<email>", "what the user logs in with")
      .option("--name <name>", "as the leaderboard shows it (default: what stands before the @)")
      .option("--quota <n>", "jobs a day (default: as configured)")
      .option("--parallelism <n>", "agents at once (default: as configured)")
      .option("--password-stdin", "read the password from stdin")
      .addHelpText(
        "after",
        "\nThe password comes from SORTIE_USER_PASSWORD or stdin; else one is made and shown once.",
      ),
  readCall: readPasswordCall,
  plan: (desk, config, { args: [email = ""], options: { name, quota, parallelism } }) =>
    planAddUser(desk, config, { email, name, quota, parallelism }),
});

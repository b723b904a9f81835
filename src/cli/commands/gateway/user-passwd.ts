import { planChangePassword } from "../../../supervise/host/change-password.ts";
import { defineChange } from "../../define-change.ts";
import { type PasswordOptions, readPasswordCall } from "../../read-password.ts";

export const command = defineChange<PasswordOptions>({
  describe: (c) =>
    c
      .argument("<email>", "whose password")
      .option("--password-stdin", "read the password from stdin")
      .addHelpText(
        "after",
        "\nThe password comes from SORTIE_USER_PASSWORD or stdin; else one is made and shown once.",
      ),
  readCall: readPasswordCall,
  plan: (desk, config, { args: [email = ""] }) => planChangePassword(desk, config, email),
});

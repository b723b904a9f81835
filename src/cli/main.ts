/** Stands in until the commands are there. */
process.stdout.write("sortie 0.1.0\n");

import { defineErrors } from "./define.ts";

export const recordingErrors = defineErrors({
  recordings_unusable: {
    exit: 2,
    message: "Recordings cannot be kept in {folder}: {reason}.",
    hint: "Choose a folder that the gateway can write to, or keep no recordings.",
  },
  recordings_lost: {
    exit: 5,
    message:
      "The folder of recordings {folder} was removed or replaced while the gateway runs, with all in it.",
    hint: "A new one is made, and the next cases are recorded there; those that are being played are not.",
  },
  recording_broken: {
    exit: 5,
    message: "The recording {file} ends early: {reason}.",
    hint: "The case itself goes on. Give the recordings more room, or keep fewer.",
  },
  recording_bad: {
    exit: 2,
    message: "{file} cannot be read as a recording: {reason}.",
    hint: "A gateway writes them, one a session: SESSION-ID.sortie-recording. Copy it as bytes, not as text.",
  },
  recordings_absent: {
    exit: 2,
    message: "There is no recording in {folder}.",
    hint: "Name files, or a folder that holds some: their names end in .sortie-recording.",
  },
  head_video_absent: {
    exit: 2,
    message: "{file} has no pictures of a head camera: {reason}.",
    hint: "Only observations of the challenge's own kind have them, as JPEG; `sortie replay` shows what a recording holds.",
  },
});

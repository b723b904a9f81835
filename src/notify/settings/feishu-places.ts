/** In the person's home folder; the first that is there counts, whatever is in it. */
export const FEISHU_PLACES = [".codex/feishu.json", ".claude/feishu.json"] as const;

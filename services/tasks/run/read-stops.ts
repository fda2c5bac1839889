// How often people want to look at the work, as their order says it: after each step, after every few, or never. When unsure, nothing. Pure.
const numbers: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  两: 2,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
}
const stop = String.raw`(?:stop|pause|check in|wait for me|ask me|let me (?:see|look|check|review))`
const never =
  /\b(?:without (?:stopping|checkpoints|asking)|(?:do not|don'?t|never) (?:stop|pause|ask)(?: me)?|no checkpoints)\b|不要停|不用停|别停|无需确认|不用确认|不要检查点/i
const english = new RegExp(
  String.raw`\b${stop}\b[^.!?]{0,40}\b(?:after|at|between|before)\s(?:each|every(?:\s(two|three|four|five|[2-9]))?)\b`,
  'i',
)
const englishFirst = new RegExp(
  String.raw`\bafter\s(?:each|every(?:\s(two|three|four|five|[2-9]))?)\b[^.!?]{0,30}\b${stop}\b`,
  'i',
)
const chinese =
  /每(?:一|做完|完成|写完)?([两二三四五2-9])?(?:一)?(?:步|个?部分|章|节|段)[^。！？]{0,10}(?:停|确认|给我看|让我看|检查|问我)|逐步(?:确认|检查)/

/** Steps between looks: 0 for never; undefined where the order does not say. */
export function readStops(order: string): number | undefined {
  if (never.test(order)) return 0
  const found = english.exec(order) ?? englishFirst.exec(order) ?? chinese.exec(order)
  if (!found) return undefined
  const said = found[1]?.toLowerCase()
  return said === undefined ? 1 : (numbers[said] ?? Number(said))
}

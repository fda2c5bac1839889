// The server's time as far as the page knows it: what it last told, and what has passed since by a clock that nobody sets. The browser's own
// time of day is not asked, since it may be wrong.

/** @type {{ now: number, heardAtMs: number } | undefined} */
let heard

/** @param {number} now ms since 1970 by the server */
export function setServerTime(now) {
  heard = { now, heardAtMs: performance.now() }
}

/** ms since 1970; undefined while the server has told nothing. */
export function serverNow() {
  return heard && heard.now + performance.now() - heard.heardAtMs
}

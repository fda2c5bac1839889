// The channels by which the tabs of one browser and one login speak with each other. Their name changes with what is said on them.

export const hubName = 'flotilla.1'

/** The channel of one conversation. @param {string} id */
export const toChannelName = (id) => `${hubName}.${id}`

let leaving = false

/** To the login, once: a second wish to go would stop the first. */
export function leave() {
  if (leaving) return
  leaving = true
  location.assign('/login')
}

/** The session has ended: all tabs go to the login. */
export function leaveAll() {
  if (leaving) return
  const hub = new BroadcastChannel(hubName)
  hub.postMessage({ kind: 'gone' })
  hub.close()
  leave()
}

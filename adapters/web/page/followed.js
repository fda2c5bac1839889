// The conversations that the tabs of a browser show, and what was passed on of each. A tab that is silent for long is forgotten.
import { isDraft, isMessage, read } from './api.js'
import { toChannelName } from './hub.js'
import { isAfter } from './position.js'

/** @import { ApiDraft } from './api-types.d.ts' */

/** As the server. */
const mostFollowed = 40
const tabLivesMs = 90_000

/**
 * @typedef {{ id: string, after: string, visible: boolean, heardAtMs: number }} Want
 * @typedef {{ last: string, draft: ApiDraft | undefined, channel: BroadcastChannel }} Followed
 */

export function createFollowed() {
  /** By tab. @type {Map<string, Want>} */
  const wants = new Map()
  /** By conversation. @type {Map<string, Followed>} */
  const followed = new Map()

  /** @param {unknown} value what the stream says, and of which conversation */
  const find = (value) => followed.get(String(read(value, 'in')))

  return {
    /** @param {string} id */
    has: (id) => followed.has(id),
    positions: () => Object.fromEntries([...followed].map(([id, { last }]) => [id, last])),
    /** A tab says what it shows, and gets what is being written there. @param {string} tab @param {Want} want */
    want(tab, want) {
      wants.set(tab, want)
      const known = followed.get(want.id)
      if (known?.draft) known.channel.postMessage({ kind: 'draft', it: known.draft })
    },
    /** @param {string} tab */
    leave: (tab) => void wants.delete(tab),
    /** Follows what the tabs show by now. Returns it as the server is asked for it. */
    choose() {
      const nowMs = performance.now()
      for (const [tab, want] of wants) if (nowMs - want.heardAtMs > tabLivesMs) wants.delete(tab)
      keep(followed, chooseWanted([...wants.values()]))
      return [...followed].map(([id, { last }]) => `follow=${encodeURIComponent(`${id}:${last}`)}`).join('&')
    },
    /** @param {unknown} value */
    passMessage(value) {
      const [known, it] = [find(value), read(value, 'it')]
      if (!known || !isMessage(it) || !isAfter(it.id, known.last)) return
      known.last = it.id
      if (it.turn !== undefined && it.turn === known.draft?.turn) known.draft = undefined
      known.channel.postMessage({ kind: 'message', it })
    },
    /** @param {unknown} value */
    passDraft(value) {
      const [known, it] = [find(value), read(value, 'it')]
      if (!known || !isDraft(it)) return
      const before = known.draft?.turn === it.turn ? known.draft.blocks.slice(0, it.from) : []
      known.draft = { ...it, from: 0, blocks: [...before, ...it.blocks], resumed: true }
      known.channel.postMessage({ kind: 'draft', it })
    },
    close() {
      for (const { channel } of followed.values()) channel.close()
    },
  }
}

/** The visible first, then who was heard last: by conversation, from where on. @param {readonly Want[]} wants */
function chooseWanted(wants) {
  const ordered = wants.toSorted(
    (one, other) => Number(other.visible) - Number(one.visible) || other.heardAtMs - one.heardAtMs,
  )
  /** @type {Map<string, string>} */
  const chosen = new Map()
  for (const { id, after } of ordered) {
    const known = chosen.get(id)
    if (known === undefined && chosen.size >= mostFollowed) continue
    if (known === undefined || isAfter(known, after)) chosen.set(id, after)
  }
  return chosen
}

/** @param {Map<string, Followed>} followed @param {ReadonlyMap<string, string>} chosen */
function keep(followed, chosen) {
  for (const [id, { channel }] of followed) {
    if (chosen.has(id)) continue
    channel.close()
    followed.delete(id)
  }
  for (const [id, after] of chosen) {
    if (followed.has(id)) continue
    followed.set(id, { last: after, draft: undefined, channel: new BroadcastChannel(toChannelName(id)) })
  }
}

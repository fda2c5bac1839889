// The room that a reply has: what is beyond it is not read.

export type ReplyRoom = {
  /** What of a piece fits, whole characters only. */
  fit(piece: string): string
  isFull(): boolean
  /** Nothing was put into it. */
  isEmpty(): boolean
}

export function createReplyRoom(maxBytes: number): ReplyRoom {
  let bytes = 0
  let isFull = false
  return {
    fit(piece) {
      const size = Buffer.byteLength(piece)
      const room = maxBytes - bytes
      bytes += size
      if (size <= room) return piece
      isFull = true
      return Buffer.from(piece)
        .toString('utf8', 0, Math.max(0, room))
        .replace(/(?<!\ufffd)\ufffd+$/, '')
    },
    isFull: () => isFull,
    isEmpty: () => bytes === 0,
  }
}

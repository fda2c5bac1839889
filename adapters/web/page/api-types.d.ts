// What the page gets from the server as JSON: types only, so that the page's plain JavaScript is checked against them.

/** A button under a message; `id` goes to POST …/presses. */
export type ApiButton = { readonly id: string; readonly label: string }

export type ApiAsks = {
  readonly urgency: 'high' | 'normal' | 'low'
  readonly deadlineMs: number
  /** Words in reply refuse what it asks for. */
  readonly denies?: true
}

/** A user's message has an `eventId`; a reply names in `answers` the events it answers. */
export type ApiMessage = {
  readonly id: string
  /** `change` only takes away the buttons of the message that it `replaces`, or all that is about one it `forgets`. */
  readonly role: 'user' | 'bot' | 'change'
  /** As it was written: of the bot, Markdown. */
  readonly text: string
  /** The bot's text as blocks; blocks.js looks at each before it shows it. */
  readonly blocks?: readonly unknown[]
  /** Milliseconds since 1970. */
  readonly at: number
  readonly eventId?: string
  readonly answers?: readonly string[]
  /** Ids of the user's messages whose texts went into it. */
  readonly about?: readonly string[]
  /** Id of a user's message that is gone, with all that is about it. */
  readonly forgets?: string
  /** A turn ends with it: it can be answered again, unless it `waits` for a person. */
  readonly endsTurn?: boolean
  /** Of such a message: the turn, whose drafts say nothing any more. */
  readonly turn?: string
  readonly waits?: boolean
  readonly row?: string
  /** The `row` of the message that this one stands for from now on. */
  readonly replaces?: string
  readonly buttons?: readonly (readonly ApiButton[])[]
  /** Of a card that asks people something; `deadlineMs` counts from `at`. */
  readonly asks?: ApiAsks
  /** Of another card with buttons: words in reply to it count. */
  readonly words?: true
  /** Under this name GET …/messages/{id}/file gives what the text tells of. */
  readonly file?: string
}

/** GET …/messages, by `after` or by `before`; `earlier` is the next `before`, where something was said before these; `cut`: where that is kept no more. */
export type ApiMessages = {
  readonly messages: readonly ApiMessage[]
  readonly earlier?: string
  readonly cut?: boolean
}

/** 202 of POST …/messages */
export type ApiAccepted = { readonly eventId: string; readonly seq: number }

/** POST …/presses */
export type ApiPress = {
  readonly outcome: 'won' | 'already' | 'forbidden' | 'stale' | 'unknown'
  readonly by?: string
  readonly choice?: string
}

/**
 * The newest text of a reply in progress; `resumed` when it was there before the stream was opened. Of its blocks the first `from` are
 * those that were sent before.
 */
export type ApiDraft = {
  readonly turn: string
  readonly text: string
  readonly from: number
  readonly blocks: readonly unknown[]
  readonly resumed?: boolean
  /** The last message that it answers: what was said after that waits, and stands below. */
  readonly follows?: string
  /** What the message with this `row` says by now: how far the plan is. */
  readonly plan?: { readonly row: string; readonly blocks: readonly unknown[] }
}

export type ApiConversation = {
  readonly id: string
  readonly at: number
  readonly title: string
  /** When the bot last said something. */
  readonly saidAt?: number
  readonly working?: boolean
}

/** GET /api/search?q=; `message` is the id of the one that has the words. */
export type ApiFound = {
  readonly id: string
  readonly title: string
  readonly message?: string
  readonly excerpt?: string
}
export type ApiSearch = { readonly found: readonly ApiFound[]; readonly partial: boolean }

/** GET /api/conversations */
export type ApiConversations = { readonly conversations: readonly ApiConversation[] }

export type ApiQuestion = {
  /** Of its conversation, and of the message in it that is its card. */
  readonly id: string
  readonly message: string
  readonly row: string
  readonly line: string
  readonly urgency: ApiAsks['urgency']
  /** By the clock of `now`, ms since 1970. */
  readonly endsAt: number
}

/** One that has no card yet: it comes once another one has ended. */
export type ApiWaiting = Pick<ApiQuestion, 'id' | 'line' | 'urgency'>

/** GET /api/questions: the most urgent first. */
export type ApiQuestions = {
  readonly now: number
  readonly questions: readonly ApiQuestion[]
  readonly waiting: readonly ApiWaiting[]
  /** How many more the bot would like to ask, by one card. */
  readonly desk: number
  /** An owner has stopped what the bot would like to ask. */
  readonly isStopped: boolean
}

// What the page gets from the server as JSON: types only, so that the page's plain JavaScript is checked against them.

/** A button under a message; `id` goes to POST …/presses. */
export type ApiButton = { readonly id: string; readonly label: string }

/** `answers` names the events that a reply answers. */
export type ApiMessage = {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly answers?: readonly string[]
  readonly buttons?: readonly (readonly ApiButton[])[]
}

/** GET …/messages?after= */
export type ApiMessages = { readonly messages: readonly ApiMessage[] }

/** 202 of POST …/messages */
export type ApiAccepted = { readonly eventId: string; readonly seq: number }

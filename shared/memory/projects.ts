// Chats that are bound to one project: what is kept for each of them is read in all. What is kept for people is not, and neither are rights or settings.
import { z } from 'zod'

/** So many chats one project has. */
export const mostChats = 20
/** The longest name, in characters. */
export const mostProjectChars = 40

export const boundChat = z.object({
  /** `channel:chat`. */
  chat: z.string().max(100),
  /** What its members called it as it was bound, where that was known: their words. */
  title: z.string().max(200).exactOptional(),
  /** As the owner who bound it wrote it. */
  project: z.string().min(1).max(mostProjectChars),
})
export type BoundChat = z.infer<typeof boundChat>

export type Project = {
  /** As the first of its chats has it. */
  readonly name: string
  /** All of them, in the order of their ids. */
  readonly chats: readonly BoundChat[]
  /** How many records they share. */
  readonly count: number
}

export type Binding =
  | 'bound'
  /** The project has no room for one more chat. */
  | 'too-many'
  /** All together keep more than there is room for. */
  | 'full'
  /** This chat was bound many times within a day. */
  | 'often'
  /** Somebody else bound it to another project meanwhile. */
  | 'elsewhere'

/** All are safe to repeat, and throw BotError `store-unavailable` where Redis is away. A chat is `channel:chat`. */
export type Projects = {
  /** The project that a chat is bound to. */
  find(chat: string): Promise<Project | undefined>
  /** One by its name, however that is written: capitals and blanks make no difference. Undefined where no chat is bound to it. */
  findNamed(name: string): Promise<Project | undefined>
  /** A chat that is bound to another project leaves that one first. `event` names the press. */
  bind(chat: BoundChat, event: string): Promise<Binding>
  /** What was said in this chat goes with it; what was said in others stays with them. */
  unbind(chat: string): Promise<void>
  /** Ends what a process began for this chat and did not end: its records stand in two places for as long. */
  goOn(chat: string): Promise<void>
  /** Goes on with what a process began that died. */
  finish(): Promise<void>
}

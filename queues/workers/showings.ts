// The showings of a channel's process: who shows a draft is one for as long as the draft lives, in a table of its own, so that it takes
// no place in the queue, where the finished answers of other chats come in. What is news to a showing comes by pub/sub or by a hint.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { Live } from './live.ts'
import { createNews, type News } from './news.ts'

/** Makes a showing of what runs and says where its news come. Undefined: there is no room, so nothing is to be shown. */
export type Enter = () => News | undefined

export type Showings = {
  /**
   * Runs `work` and resolves when it has ended or become a showing. Where the conversation has a showing, that one is told instead.
   * Rejects as `work` does until it is a showing.
   */
  run(conversation: ConversationId, work: (enter: Enter) => Promise<void>): Promise<void>
  /** Resolves when no showing is left. */
  ended(): Promise<void>
}

export type ShowingsOptions = {
  readonly most: number
  readonly live: Pick<Live, 'listen'>
  /** A showing ended without having looked for what it was told of last. */
  readonly onUnheard: (conversation: ConversationId) => void
  /** A showing ended by an error. */
  readonly onTrouble: (what: string, error: unknown) => void
}

export function createShowings({ most, live, onUnheard, onTrouble }: ShowingsOptions): Showings {
  const open = new Map<ConversationId, { readonly news: News; readonly done: Promise<void> }>()

  async function run(conversation: ConversationId, work: (enter: Enter) => Promise<void>): Promise<void> {
    const known = open.get(conversation)
    if (known) return known.news.tell('row')
    const entered = Promise.withResolvers<void>()
    const over = Promise.withResolvers<void>()
    let news: News | undefined
    let unlisten = (): void => {}
    const enter: Enter = () => {
      if (news || open.size >= most || open.has(conversation)) return news
      news = createNews()
      open.set(conversation, { news, done: over.promise })
      unlisten = listen(live, conversation, news)
      entered.resolve()
      return news
    }
    const show = async (): Promise<void> => {
      try {
        await work(enter)
      } catch (error) {
        if (!news) throw error
        onTrouble('The showing of a draft broke off; the sweeper tries again.', error)
      } finally {
        unlisten()
        if (news) open.delete(conversation)
        if (news?.hasRow()) onUnheard(conversation)
        over.resolve()
      }
    }
    await Promise.race([entered.promise, show()])
  }

  return {
    run,
    async ended() {
      while (open.size > 0) await Promise.all([...open.values()].map(({ done }) => done))
    },
  }
}

/** It goes on without while Redis is away: it looks now and then anyway. */
function listen(live: Pick<Live, 'listen'>, conversation: ConversationId, news: News): () => void {
  const listening = live.listen(conversation, ({ kind }) => news.tell(kind === 'out' ? 'row' : 'draft'))
  // What came before was told to nobody.
  listening.then(
    () => news.tell('row'),
    () => {},
  )
  return () => {
    listening.then(
      (end) => end(),
      () => {},
    )
  }
}

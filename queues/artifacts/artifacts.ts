// What the kernel does with artifacts once a step has written them. Of one conversation 500 are kept, and 4 MB of texts: the oldest go first. They
// go seven days after their session's end, when a message that they are about is forgotten, and with their conversation.
import type { ConversationId } from '#shared/chat/conversation.ts'
import type { KeptArtifact, KeptHead } from '#shared/run/artifact.ts'

export type Artifacts = {
  findArtifact(conversation: ConversationId, name: string): Promise<KeptArtifact | undefined>
  /** Oldest first. */
  listArtifacts(conversation: ConversationId): Promise<readonly KeptHead[]>
}

// What the kernel does with artifacts once a step has written them. Of one conversation 500 are kept, and 4 MB of texts: the oldest go first. They
// go seven days after their session's end, when a message that they are about is forgotten, and with their conversation. Of a task 2,000 are kept, and 24
// MB, as long as the task is there: what it does not work with goes where there is no room, and a step with more `work` than that is refused.
import type { Address } from '#shared/chat/address.ts'
import type { KeptArtifact, KeptHead } from '#shared/run/artifact.ts'

export type Artifacts = {
  findArtifact(address: Address, name: string): Promise<KeptArtifact | undefined>
  /** Oldest first. */
  listArtifacts(address: Address): Promise<readonly KeptHead[]>
}

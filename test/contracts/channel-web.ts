// The owner's conversation on the web, over HTTP.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createWebChannel, type WebChannel } from '#adapters/web/web-channel.ts'
import { createWebChat } from '#test/rig/chats/web-chat.ts'
import { parseTold, type Fleet, type Platform } from './channel-world.ts'

export async function openWeb(fleet: Fleet): Promise<Platform> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flotilla-web-'))
  const tokenFile = path.join(folder, 'web-token')
  let port = 0
  const open = async (): Promise<WebChannel> => {
    const { kernel, live, redis } = fleet
    const channel = await createWebChannel(
      { tokenFile, closeGraceMs: 200 },
      { kernel, live, redis, findMissing: async () => [] },
    )
    port = await channel.listen(port)
    return channel
  }
  const adapter = await open()
  const chat = createWebChat({ port, tokenFile, name: 'room' })
  return {
    adapter,
    another: open,
    chat,
    who: 'the owner',
    person: 'web:owner',
    toTold: parseTold,
    async [Symbol.asyncDispose]() {
      chat.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

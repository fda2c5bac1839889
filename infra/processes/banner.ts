// What `npm start` tells the operator once the fleet runs: where it is reached, by which model it answers, and how it ends.
import path from 'node:path'
import type { Settings } from '#infra/config/settings.ts'
import { describeRoom } from '#services/commands/describe-room.ts'
import type { ToolRoom } from '#shared/model/tool-room.ts'
import { listConnected, platforms } from './channels.ts'
import { describeRedis } from './describe-redis.ts'

export type Banner = {
  readonly settings: Settings
  readonly url: string
  readonly loginUrl: string | undefined
  readonly tokenFile: string
  readonly model: { readonly name: string; readonly endpoint: string; readonly offline: boolean }
  readonly startCode: string | undefined
  readonly notice: string | undefined
  readonly room: ToolRoom
}

export function toBanner(of: Banner): string {
  const { name, endpoint, offline } = of.model
  const connected = listConnected(of.settings)
  const missing = platforms.filter((one) => !connected.includes(one.name)).map(({ needs }) => needs)
  const channels = ['web', 'console', ...connected]
  const rows: [string, string][] = [
    ['Web', `${of.url}   (token: ${path.relative(process.cwd(), of.tokenFile)})`],
    ...(of.loginUrl === undefined
      ? []
      : [['', `${of.loginUrl}   (logs you in, once, within 10 minutes)`] satisfies [string, string]]),
    ['Terminal', 'npm run flotilla -- console'],
    ['Model', offline ? `${name} (set OPENAI_API_KEY for a real one)` : `${name} at ${endpoint}`],
    ['', describeRoom(of.room, 'en')],
    ...(of.notice ? [['', of.notice] satisfies [string, string]] : []),
    ['Channels', channels.join(', ') + (missing.length > 0 ? `   (set ${missing.join(' or ')} for more)` : '')],
    ...(of.settings.redisUrl === undefined ? [] : [['Redis', describeRedis(of.settings)] satisfies [string, string]]),
    ['Data', `${of.settings.dataFolder}${of.settings.redisUrl === undefined ? ', with the embedded Redis' : ''}`],
    ...(of.startCode
      ? [
          [
            'Owner',
            `you, on the page and in the terminal; elsewhere whoever first sends "/start ${of.startCode}" to the bot`,
          ] satisfies [string, string],
        ]
      : []),
    ['Stop', 'Ctrl-C'],
  ]
  return [
    '',
    '  Flotilla is running.',
    '',
    ...rows.map(([label, text]) => `  ${label.padEnd(10)}${text}`),
    '',
    '',
  ].join('\n')
}

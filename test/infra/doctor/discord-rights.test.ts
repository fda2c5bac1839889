// Facts about rights in a Discord channel: the guild's, then everyone's, the roles' and the member's own overwrites.
import { PermissionFlagsBits as bit } from 'discord-api-types/v10'
import { describe, expect, test } from 'vitest'
import { findMissingRights, toChannelRights, type Overwrite } from '#infra/doctor/discord-rights.ts'

const all = bit.ViewChannel | bit.SendMessages | bit.SendMessagesInThreads | bit.ReadMessageHistory | bit.AddReactions
const bot = { guild: '1', member: '9', roles: ['5', '6'], rights: all }
const rule = (id: string, allow: bigint, deny: bigint): Overwrite => ({ id, allow, deny })

describe('rights in a channel', () => {
  test.each<readonly [what: string, overwrites: readonly Overwrite[], missing: readonly string[]]>([
    ['none changes nothing', [], []],
    ['everyone is denied', [rule('1', 0n, bit.SendMessages)], ['Send Messages']],
    [
      'a role is allowed what everyone is denied',
      [rule('1', 0n, bit.SendMessages), rule('5', bit.SendMessages, 0n)],
      [],
    ],
    ['one role allows what another denies', [rule('5', 0n, bit.ViewChannel), rule('6', bit.ViewChannel, 0n)], []],
    [
      'the member is denied what a role allows',
      [rule('9', 0n, bit.ViewChannel), rule('5', bit.ViewChannel, 0n)],
      ['View Channels'],
    ],
    ['a role that the member has not', [rule('7', 0n, all)], []],
  ])('%s', (_what, overwrites, missing) => {
    expect(findMissingRights(toChannelRights(bot, overwrites))).toEqual(missing)
  })

  test('an administrator lacks nothing, whatever the channel says', () => {
    const boss = { ...bot, rights: bit.Administrator }
    expect(findMissingRights(toChannelRights(boss, [rule('1', 0n, all), rule('9', 0n, all)]))).toEqual([])
  })
})

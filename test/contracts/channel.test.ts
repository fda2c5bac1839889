// The contract suite of channels, for each of them.
import { describeChannel } from './channel-contract.ts'
import { openConsole } from './channel-console.ts'
import { openDiscord } from './channel-discord.ts'
import { openFeishu } from './channel-feishu.ts'
import { openTelegram } from './channel-telegram.ts'
import { openWeb } from './channel-web.ts'

const platform = { delivers: true, repeats: true, edit: true, threads: true, reactions: true, files: true }
const own = { delivers: false, threads: false, reactions: false }

describeChannel('telegram', platform, openTelegram)
describeChannel('discord', platform, openDiscord)
describeChannel('feishu', platform, openFeishu)
describeChannel('web', { ...own, repeats: true, edit: true, files: true }, openWeb)
describeChannel('console', { ...own, repeats: false, edit: false, files: false }, openConsole)

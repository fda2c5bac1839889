// What tools take of the model's window, in a few words, for /status and for whoever starts the fleet.
import type { Language } from '#shared/chat/message.ts'
import type { ToolRoom } from '#shared/model/tool-room.ts'

export function describeRoom(
  { windowTokens, toolTokens, listed, searched, left }: ToolRoom,
  language: Language,
): string {
  if (language === 'zh')
    return [
      `窗口 ${windowTokens} token`,
      `提示里有 ${listed} 个工具，最多占 ${toolTokens} token`,
      ...(searched > 0 ? [`另外 ${searched} 个用 tool_search 查找`] : []),
      ...(left > 0 ? [`窗口放不下另外 ${left} 个`] : []),
    ].join('，')
  return [
    `window ${windowTokens} tokens`,
    `${listed} ${listed === 1 ? 'tool' : 'tools'} in each prompt (at most ${toolTokens} tokens)`,
    ...(searched > 0 ? [`${searched} more found by tool_search`] : []),
    ...(left > 0 ? [`no room for ${left} more`] : []),
  ].join(', ')
}

// Where Feishu and Lark are: the interface of an app, and the links that people open.

const roots: Readonly<Record<string, string>> = {
  feishu: 'https://open.feishu.cn',
  lark: 'https://open.larksuite.com',
}
/** Where the app's interface is: `feishu`, `lark`, or an address. */
export const toRoot = (domain: string): string => roots[domain] ?? domain.replace(/(?<!\/)\/+$/, '')

/** https://open.feishu.cn/document/applink-protocol/supported-protocol/open-a-bot */
export function toDirectLink(domain: string, appId: string): string {
  const host = domain === 'lark' ? 'applink.larksuite.com' : 'applink.feishu.cn'
  return `https://${host}/client/bot/open?appId=${appId}`
}

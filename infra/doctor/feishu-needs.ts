// The permissions and events of infra/docs/feishu.md, and what the bot goes without where one is left out.
// https://open.feishu.cn/document/server-docs/application-scope/scope-list

/** A permission, or an event, by the name that the developer console shows. */
export type FeishuNeed = {
  readonly name: string
  /** Each of these does as well. */
  readonly or?: readonly string[]
  /** What is given up without it; undefined where the bot would not work. */
  readonly without?: string
}

/** Lets it hear everything in groups, which some modes need. */
export const allOfGroups: FeishuNeed = {
  name: 'im:message.group_msg',
  without: 'replies and answers in groups that do not mention it',
}

export const feishuRights: readonly FeishuNeed[] = [
  { name: 'im:message.p2p_msg:readonly', or: ['im:message.p2p_msg'] },
  { name: 'im:message.group_at_msg:readonly', or: ['im:message.group_at_msg', 'im:message.group_msg'] },
  { name: 'im:message:send_as_bot', or: ['im:message'] },
  allOfGroups,
  {
    name: 'im:message:readonly',
    or: ['im:message'],
    without: 'what a reply refers to, thumbs below answers, and taking old buttons away',
  },
  {
    name: 'im:chat:readonly',
    or: ['im:chat', 'im:chat:read'],
    without: 'being let in by an owner who adds it to a group, and who administers a group',
  },
  { name: 'contact:contact.base:readonly', or: ['contact:contact:readonly_as_app'], without: 'names of people' },
  { name: 'contact:user.base:readonly', or: ['contact:contact:readonly_as_app'], without: 'names of people' },
  { name: 'cardkit:card:write', without: 'answers that grow letter by letter' },
  { name: 'im:message.reactions:write_only', or: ['im:message'], without: 'the thumb that thanks get in a group' },
  { name: 'im:resource:upload', or: ['im:resource'], without: 'files' },
]

/** Any of these shows doctor what is subscribed. */
export const looking = ['application:application:self_manage', 'admin:app.info:readonly']

export const feishuEvents: readonly FeishuNeed[] = [
  { name: 'im.message.receive_v1' },
  { name: 'im.message.recalled_v1', without: 'forgetting what people take back' },
  { name: 'im.message.reaction.created_v1', without: 'thumbs below answers' },
  { name: 'im.message.reaction.deleted_v1', without: 'thumbs below answers that are taken back' },
  { name: 'im.chat.member.bot.added_v1', without: 'being let in by an owner who adds it to a group' },
  { name: 'im.chat.member.bot.deleted_v1', without: 'knowing that it was put out of a group' },
  { name: 'im.chat.disbanded_v1', without: 'knowing that a group is no more' },
]

export const feishuCallback = 'card.action.trigger'

export function findMissing(needs: readonly FeishuNeed[], given: ReadonlySet<string>): readonly FeishuNeed[] {
  return needs.filter(({ name, or = [] }) => ![name, ...or].some((one) => given.has(one)))
}

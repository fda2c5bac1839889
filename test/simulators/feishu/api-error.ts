// A refusal as Feishu's server API words it. Thrown by routes, answered as `{code, msg, error}`. The numbers, the HTTP states and most
// of the words are those of the vendor's lists of errors, for each method:
// https://open.feishu.cn/document/uAjLw4CM/ukTMukTMukTM/reference/im-v1/message/create and its neighbours,
// https://open.feishu.cn/document/server-docs/api-call-guide/generic-error-code

export class FeishuError extends Error {
  readonly status: number
  readonly code: number
  /** What stands in `error` beside the log id. */
  readonly details: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: number, message: string, more: FeishuErrorParts = {}) {
    super(message)
    this.name = 'FeishuError'
    this.status = status
    this.code = code
    this.details = more.details ?? {}
    this.headers = more.headers ?? {}
  }
}

type FeishuErrorParts = {
  readonly details?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

const im = (code: number, words: string) => (): FeishuError => new FeishuError(400, code, words)
/** With what is wrong behind `ext=`. */
const imAbout = (code: number, words: string) => (what: string) => new FeishuError(400, code, `${words}, ext=${what}`)

export const refusals = {
  notFound: () => new FeishuError(404, 404, '404 page not found'),
  noToken: im(99_991_661, 'Missing access token for authorization. Please make a request with token attached.'),
  badToken: im(
    99_991_663,
    'Invalid access token for authorization. Please make a test attempt after re-obtaining the token.',
  ),
  appOff: im(99_991_662, 'The app is not in use. Please enable the app in the tenant and try again.'),
  badJson: im(9499, 'Bad Request'),
  invalid: imAbout(230_001, 'Your request contains an invalid request parameter'),
  botOutside: im(230_002, 'The bot can not be outside the group.'),
  noBotAbility: im(230_006, 'Bot ability is not activated.'),
  recalled: im(230_011, 'The message was withdrawn.'),
  notAvailable: im(230_013, 'Bot has NO availability to this user.'),
  notOwner: im(230_017, 'Bot is NOT the owner of the resource.'),
  notAllowed: im(230_018, 'These operations are NOT allowed at current group settings.'),
  tooOften: im(230_020, 'This operation triggers the frequency limit.'),
  tooLong: im(230_025, 'The length of the message content reaches its limit.'),
  tooLateToRecall: im(230_026, 'No permission to recall this message.'),
  groupUnread: imAbout(230_027, 'Lack of necessary permissions'),
  tooOldToUpdate: im(230_031, 'The message can NOT be updated as it was sent more than 14 days ago.'),
  beingSent: im(230_049, 'The message is being sent.'),
  invisible: im(230_050, 'The message is invisible to the operator.'),
  stoppedByUser: im(230_053, 'The user has stopped the bot from sending messages.'),
  cardless: im(230_054, 'This type of message is unavailable in the connection group.'),
  wrongType: im(230_054, 'This operation is not supported for this message type.'),
  wrongFileType: im(230_055, 'The type of file upload does not match the type of message being sent.'),
  notSender: im(230_071, 'The operator is not the sender of the message.'),
  editsUsedUp: im(230_072, 'The message has reached the number of times it can be edited.'),
  tooLateToEdit: im(230_075, 'The message has exceeded the time that can be edited.'),
  deleted: im(230_110, 'Action unavailable as the message has been deleted.'),
  badReaction: im(231_001, 'The reaction type is invalid.'),
  reactionMessageGone: im(231_003, 'The message is NOT found or has been withdrawn.'),
  reactionNotOwn: im(231_007, 'The reaction was NOT added by the operator.'),
  reactionGone: im(231_010, 'The reaction is NOT found.'),
  botOutsideForReaction: im(231_002, 'The operator has NO permission to react on the specific message.'),
  badChat: im(232_006, 'Your request specifies a chat_id which is invalid.'),
  dissolved: im(232_009, 'Your request specifies a chat which has already been dissolved.'),
  outsideChat: im(232_011, 'Operator can NOT be out of the chat.'),
  noBotAbilityForChat: im(232_025, 'Bot ability is not activated.'),
  badResource: im(234_001, 'Invalid request param.'),
  fileNotInMessage: im(234_003, 'File not in msg.'),
  resourceOutside: im(234_004, 'App not in chat.'),
  fileTooLarge: im(234_006, 'The file size exceed the max value.'),
  noBotAbilityForFile: im(234_007, 'App does not enable bot feature.'),
  fileEmpty: im(234_010, "File's size can't be 0."),
  userUnknown: im(41_012, 'the user is is invalid error'),
  userUnseen: im(41_050, 'no user authority error'),
  notInstalled: im(212_100, 'app not install'),
  appUnknown: im(210_503, 'invalid app_id'),
  quotaUsedUp: () =>
    new FeishuError(429, 99_991_403, "This month's API call quota has been exceeded. Please upgrade your plan."),
} as const

/** 230099: what is wrong with a card, in the words in which the cards' own service tells it. */
export function badCard(innerCode: number, words: string, value = ''): FeishuError {
  return new FeishuError(
    400,
    230_099,
    `Failed to create card content, ext=ErrCode: ${innerCode}; ErrMsg: ${words}; ErrorValue: ${value}; `,
  )
}

/** 99991400; older methods answer it with 400 instead of 429. */
export function rateLimited(resetS: number, status = 429): FeishuError {
  const headers = { 'x-ogw-ratelimit-limit': '50', 'x-ogw-ratelimit-reset': String(resetS) }
  return new FeishuError(status, 99_991_400, 'request trigger frequency limit', { headers })
}

/** 99991672, which names every permission of which one would do, and where to ask for it. */
export function scopeMissing(appId: string, scopes: readonly string[]): FeishuError {
  const names = scopes.join(', ')
  const url = `https://open.feishu.cn/app/${appId}/auth?q=${scopes.join(',')}&op_from=openapi&token_type=tenant`
  return new FeishuError(
    400,
    99_991_672,
    `Access denied. One of the following scopes is required: [${names}].应用尚未开通所需的应用身份权限：[${names}]，点击链接申请并开通任一权限即可：${url}`,
    { details: { permission_violations: scopes.map((subject) => ({ type: 'action_scope_required', subject })) } },
  )
}

/** 99992402: fields that the gateway itself checks. */
export function fieldsInvalid(violations: readonly { readonly field: string; readonly description: string }[]) {
  return new FeishuError(400, 99_992_402, 'field validation failed', { details: { field_violations: violations } })
}

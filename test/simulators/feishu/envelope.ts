// The shape of what is pushed to the bot.
// https://open.feishu.cn/document/ukTMukTMukTM/uUTNz4SN1MjL1UzM

/** An event as it is pushed: `{schema, header, event}`. */
export type Envelope = {
  readonly schema: '2.0'
  readonly header: {
    readonly event_id: string
    readonly event_type: string
    readonly create_time: string
    readonly token: string
    readonly app_id: string
    readonly tenant_key: string
  }
  readonly event: Readonly<Record<string, unknown>>
}

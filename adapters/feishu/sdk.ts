// The SDK by require: to learn what a module of this kind exports, an import reads its file of 6 MB once more, and 15 MB stay in use for good.
import { createRequire } from 'node:module'
import type * as Sdk from '@larksuiteoapi/node-sdk'

const loaded: unknown = createRequire(import.meta.url)('@larksuiteoapi/node-sdk')
if (!isSdk(loaded)) throw new Error('The package @larksuiteoapi/node-sdk holds no SDK: run the set-up again.')
export const { Client, defaultHttpInstance, EventDispatcher, withTenantToken, WSClient } = loaded

function isSdk(given: unknown): given is typeof Sdk {
  return typeof given === 'object' && given !== null && 'Client' in given && 'WSClient' in given
}

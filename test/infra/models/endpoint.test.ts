// What an address and a name tell of an endpoint: where its requests go, and whether it may be silent for long.
import { expect, test } from 'vitest'
import { isNear, thinks, toBaseUrl } from '#infra/models/endpoint.ts'

test.each([
  'https://m.example/v1',
  'https://m.example/v1/',
  'https://m.example/v1///',
  ' https://m.example/v1/chat/completions ',
  'https://m.example/v1/chat/completions/',
  'https://m.example/v1/completions',
  'https://m.example/v1/models',
  'https://m.example/v1/responses',
])('%j is one address', (given) => {
  expect(toBaseUrl(given)).toBe('https://m.example/v1')
})

test('what belongs to an address stays', () => {
  for (const url of ['https://m.example', 'https://m.example/chat/completions-proxy/v1', 'https://m.example/models/v1'])
    expect(toBaseUrl(url)).toBe(url)
})

test('servers of this machine and of this network are near, and no others', () => {
  const near = ['localhost', '127.0.0.1', '127.0.0.2', '[::1]', '192.168.1.20', '10.0.0.7', '172.16.0.2', '172.31.9.9']
  near.push('169.254.1.1', '100.64.0.9', '[fd00::5]', '[fe80::1]', 'ollama', 'gpu.local', 'box.lan', 'm.internal')
  expect(near.filter((host) => !isNear(`http://${host}:8080/v1`))).toEqual([])
  const far = [
    'api.openai.com',
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '193.168.1.1',
    'local.example.com',
    '[2001:db8::1]',
  ]
  expect(far.filter((host) => isNear(`http://${host}/v1`))).toEqual([])
})

test('models that think in silence are known by their names', () => {
  const silent = ['o3', 'gpt-5-mini', 'openai/gpt-oss-20b', 'deepseek-r1:8b', 'qwen3:8b', 'Qwen/QwQ-32B', 'glm-4.6']
  silent.push('gemini-2.5-pro', 'kimi-k2-thinking', 'magistral-small', 'MiniMax-M2', 'grok-4', 'phi-4-reasoning')
  expect(silent.filter((name) => !thinks(name))).toEqual([])
  expect(['gpt-4.1-mini', 'llama-3.3-70b', 'mistral-small', 'gemma3:4b', 'phi4'].filter(thinks)).toEqual([])
})

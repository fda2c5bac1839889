// Zones as people name them, by a city; each has a button on the card that lists them all.
import type { Localised } from '#shared/chat/message.ts'

type Named = { readonly zone: string; readonly city: Localised }
const toNamed = (zone: string, zh: string, en: string): Named => ({ zone, city: { zh, en } })

export const namedZones: readonly Named[] = [
  toNamed('Asia/Shanghai', '北京', 'Beijing'),
  toNamed('Asia/Hong_Kong', '香港', 'Hong Kong'),
  toNamed('Asia/Taipei', '台北', 'Taipei'),
  toNamed('Asia/Singapore', '新加坡', 'Singapore'),
  toNamed('Asia/Tokyo', '东京', 'Tokyo'),
  toNamed('Asia/Seoul', '首尔', 'Seoul'),
  toNamed('Asia/Kolkata', '新德里', 'Delhi'),
  toNamed('Asia/Dubai', '迪拜', 'Dubai'),
  toNamed('Australia/Sydney', '悉尼', 'Sydney'),
  toNamed('Africa/Johannesburg', '约翰内斯堡', 'Johannesburg'),
  toNamed('Africa/Lagos', '拉各斯', 'Lagos'),
  toNamed('Europe/London', '伦敦', 'London'),
  toNamed('Europe/Berlin', '柏林', 'Berlin'),
  toNamed('America/New_York', '纽约', 'New York'),
  toNamed('America/Chicago', '芝加哥', 'Chicago'),
  toNamed('America/Los_Angeles', '洛杉矶', 'Los Angeles'),
  toNamed('America/Sao_Paulo', '圣保罗', 'São Paulo'),
]

// Ten thousand random histories of records of memory in memory, and three hundred on Redis.
import { describeRecordHistories } from './memory-histories.ts'

describeRecordHistories({ twin: 10_000, redis: 300 })

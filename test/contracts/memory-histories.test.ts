// Some random histories of records of memory; ten thousand are tried at length.
import { describeRecordHistories } from './memory-histories.ts'

describeRecordHistories({ twin: 600, redis: 40 })

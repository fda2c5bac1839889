// What is never kept, whoever orders it: secrets; grants of rights and standing orders to act; in groups also a person's health, money and identity
// numbers. It errs on the side of refusing.
import { toNormalForm } from '#shared/chat/normal-form.ts'
import { isRight } from './refuse-right.ts'
import { isSecret } from './refuse-secret.ts'

export type Refusal = 'secret' | 'right' | 'health' | 'money' | 'identity'

/** Characters; what is longer is judged by its beginning, and no record is so long. */
const mostChars = 4000
const invisible = /[\u00ad\u200b-\u200f\u2060-\u2064]|\ufe0e|\ufe0f/gu

const identity =
  /(?<!\d)\d{17}[\dx](?![\da-z])|(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)|(?<![a-z])(?:passport|national id|id card|identity(?: card)?|social security|national insurance|driver['’]?s? licen[cs]e|driving licen[cs]e|tax(?:payer)?(?: id(?:entification)?)?|residence permit|visa|ssn|nhs|citizen|personal id)(?: (?:number|no\.?|nr\.?|id))?(?: (?:is|of|for))? ?[:#]? ?[a-z]{0,3} ?\d{3}|(?<![a-z])(?:passport|national id|id card|identity(?: card)?|social security|national insurance|driver['’]?s? licen[cs]e|driving licen[cs]e|tax(?:payer)?(?: id(?:entification)?)?|residence permit|ssn|citizen|personal id) (?:number|no\.|nr\.)(?![a-z])|身份证|护照(?:号|编号|是|：|:| ?[a-z]?\d)|社保(?:号|卡号|账号)|驾(?:照|驶证)(?:号|编号)|居住证号|税号|港澳通行证号|学籍号|军官证/iu
const health =
  /(?<![a-z])(?:cancer|tumou?r|chemo(?:therapy)?|radiotherapy|dialysis|pregnan(?:t|cy)|miscarriage|ivf|depress(?:ed|ion|ive)|anxiety|panic attacks?|(?:my|in|start(?:ed|ing)?|see(?:ing)? an?) (?:therap(?:y|ist)|psychiatrist|psychologist)|antidepressants?|medication|my meds|insulin|diabet(?:es|ic)|hiv|surgery|operation on my|illness|disease|sick leave|in hospital|hospitali[sz]ed|hospital (?:appointment|stay)|in rehab|rehab for|asthma(?:tic)?|epilep(?:sy|tic)|adhd|autis(?:m|tic)|bipolar|disorder|migraines?|dyslexi[ac]|allerg(?:y|ic|ies)|c(?:o)?eliac|intoleran(?:t|ce)|blood (?:pressure|type|group|test|sugar)|cholesterol|diagnosed|burn-?out|burnt out|broke (?:my|her|his) (?:leg|arm|foot|hand|wrist|ankle|rib)|arthritis|stroke|heart (?:attack|condition|disease|problem)|pacemaker|infection|covid|alcoholic|addict(?:ed|ion)?|sober|disability|i['’]?m disabled|deaf|wheelchair|hearing aids?|my (?:doctor|gp|cardiologist|oncologist|back pain)|slipped disc|menopause|on the pill|vasectomy|kidney|transplant|crohn['’]?s|lupus|sclerosis|parkinson['’]?s|dementia|alzheimer['’]?s)(?![a-z])|怀孕|孕(?:期|检|妇|吐|\d|[一二三四五六七八九])|流产|备孕|试管|癌|肿瘤|化疗|放疗|透析|手术|住院|抑郁|焦虑症|躁郁|双相|强迫症|精神科|心理(?:医生|咨询|科)|吃药|服药|胰岛素|糖尿病|高血压|血压|血糖|血脂|血型|胆固醇|艾滋|乙肝|肝炎|哮喘|癫痫|偏头痛|过敏|确诊|被诊断|诊断出|病假|生病|病情|[有得患][^，。,]{0,6}病|心脏病|心梗|中风|心脏支架|结石|骨折|腰椎|颈椎病|痛风|甲亢|甲状腺|贫血|失眠|戒酒|戒毒|残疾|自闭|多动症|体检(?:报告|结果|查出)|月经|痛经|更年期|不耐受|在康复|[肾肝]移植|器官移植|肾病|帕金森|阿尔茨海默|红斑狼疮/iu
const money =
  /(?<![a-z])(?:salary|salaries|wages?|pay ?slip|pay ?check|payrise|pay rise|my (?:pay|income|bonus|pension|savings|debts?|loan|mortgage|overdraft|rent|net worth|bank|shares|stocks|portfolio)|i (?:earn|make) (?:about |around |roughly |only )?[$€£¥]?\d|i['’]?m paid|i get paid|get[s]? paid|earns? [$€£¥]?\d|in (?:the red|debt)|mortgage|overdraft|overdrawn|bankrupt(?:cy)?|broke (?:until|till|this month)|owes?(?: [\w'’]{1,20}){0,3} (?:[$€£¥]?\d|money|a (?:thousand|hundred|fortune))|loan|credit score|bank account|account number|iban|sort code|alimony|child support|inheritance|inherited|unemployment benefits?|our savings)(?![a-z])|(?<![a-z\d])[a-z]{2}\d{2}(?: ?[\da-z]{4}){3,7}(?![a-z\d])|工资|月薪|年薪|薪水|薪资|底薪|薪酬|月入|年入|年收入|收入|年终奖|奖金|欠[^，。,]{0,6}(?:钱|款|债|万|千|块|元)|欠着|贷款|房贷|车贷|网贷|花呗|负债|债务|存款|积蓄|破产|银行账[号户]|账户余额|卡里|养老金|公积金|炒股|股票|买了?基金|基金亏|彩礼|私房钱|抚养费|遗产|房租(?:是|要|每月|一个月)?[^，。,]{0,3}[\d一二三四五六七八九]/iu

/** `steps`: a procedure, which gives no right whatever it says; what is sent to whom is part of most of them. */
type Where = { readonly group: boolean; readonly steps?: true }

/** Why a text is not to be kept there; undefined where it may be. Linear in the text. */
export function findRefusal(text: string, where: Where): Refusal | undefined {
  const said = toNormalForm(text.slice(0, mostChars).replaceAll(invisible, ''), 'NFKC')
  if (isSecret(said)) return 'secret'
  if (!where.steps && isRight(said)) return 'right'
  if (!where.group) return undefined
  if (identity.test(said)) return 'identity'
  if (health.test(said)) return 'health'
  return money.test(said) ? 'money' : undefined
}

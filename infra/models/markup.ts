// The marks that models write in the form of their templates, and that endpoints pass on where they do not know it. Each line names families of models.

export type ThoughtMark = {
  readonly opens: string
  readonly closes: string
  /** A word of other documents too: a thought only at the beginning of an answer that goes on after it. */
  readonly isWord?: true
  /** Marks of what comes next, which end the thought as well. */
  readonly endsBefore?: readonly string[]
}

export const thoughtMarks: readonly ThoughtMark[] = [
  // DeepSeek R1, Qwen 3, GLM, MiniMax, Nemotron and many more
  ...pairs('think', 'thinking', 'Think', 'THINK', 'Thinking', 'THINKING', 'mm:think', 'antml:thinking'),
  ...words('thought', 'thoughts', 'reasoning', 'reason', 'reflection', 'analysis', 'scratchpad', 'internal'),
  ...words('inner_thoughts', 'inner_monologue'),
  // ByteDance Seed, LongCat, Hunyuan
  ...pairs('seed:think', 'longcat_think', 'seed:cot_budget_reflect', 'hy:think'),
  // Mistral Magistral
  { opens: '[THINK]', closes: '[/THINK]' },
  // Kimi
  { opens: '◁think▷', closes: '◁/think▷' },
  // Cohere Command A
  { opens: '<|START_THINKING|>', closes: '<|END_THINKING|>' },
  // OpenThinker, Skywork, Apertus, Solar
  { opens: '<|begin_of_thought|>', closes: '<|end_of_thought|>' },
  { opens: '<|inner_prefix|>', closes: '<|inner_suffix|>' },
  { opens: '<|think|>', closes: '<|/think|>' },
  { opens: '<|begin_of_think|>', closes: '<|end_of_think|>' },
  { opens: '<|thinking|>', closes: '<|/thinking|>' },
  { opens: '<｜begin▁of▁thought｜>', closes: '<｜end▁of▁thought｜>' },
  // MedGemma
  { opens: '<unused94>', closes: '<unused95>' },
  // gpt-oss
  { opens: '<|channel|>analysis<|message|>', closes: '<|end|>', endsBefore: ['<|start|>', '<|channel|>'] },
  // Gemma 4
  { opens: '<|channel>thought', closes: '<channel|>', endsBefore: ['<|tool_call>'] },
]

function pairs(...names: readonly string[]): readonly ThoughtMark[] {
  return names.map((name) => ({ opens: `<${name}>`, closes: `</${name}>` }))
}

function words(...names: readonly string[]): readonly ThoughtMark[] {
  return pairs(...names).map((mark) => ({ ...mark, isWord: true }))
}

/** Where calls begin; they stand at the end of an answer. */
export const callOpenings: readonly string[] = [
  // Hermes, Qwen, GLM
  '<tool_call',
  '<tool_calls',
  '<toolcall',
  // Nemotron
  '<TOOLCALL',
  '<function_call',
  '<function_calls>',
  '<functioncall>',
  // Qwen coder, Llama 3.1, Hermes
  '<function=',
  '<function name=',
  '<invoke name=',
  '<tool_use>',
  '<use_tool',
  ']<]minimax[>[',
  // ByteDance Seed, LongCat, xAI, Phi, Apertus, Llama 4, LM Studio
  '<seed:tool_call',
  '<longcat_tool_call',
  '<xai:function_call',
  'functools[',
  '<|tools_prefix|>',
  '<|python_start|>',
  '[TOOL_REQUEST]',
  '<tools>',
  // MiniMax, Anthropic, Xiaomi, Phi
  '<minimax:tool_call',
  '<function_calls',
  '<invoke',
  '<|tool_call',
  '<|tool_calls',
  '<tool_code>',
  '<|function_call',
  '<|python_tag|>',
  '<|action_start|>',
  '<|plugin|>',
  '<|START_ACTION|>',
  // Kimi, DeepSeek
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁call▁begin｜>',
  '<｜DSML｜',
  '<｜tool',
  // Mistral
  '[TOOL_CALLS]',
  '[TOOL_CALL]',
  '[FUNCTION_CALL',
  // gpt-oss
  '<|channel|>commentary to=',
  '<|channel|>analysis to=',
  '<|channel|>comment to=',
  '<|channel|>final to=',
  '<|start|>assistant to=',
  '<|start|>assistant<|channel|>commentary to=',
  '<|start|>assistant<|channel|>analysis to=',
  '<|start|>functions.',
  // Granite, Gemma
  '<tool_call|>',
  '<start_function_call>',
]

/** What stands between the parts of a template, and means nothing. */
export const ornaments: readonly string[] = [
  '<|im_end|>',
  '<|im_start|>assistant',
  '<|im_start|>',
  '<|eot_id|>',
  '<|eom_id|>',
  '<|eot|>',
  '<|end_of_text|>',
  '<|endoftext|>',
  '<|begin_of_text|>',
  '<|start_header_id|>assistant<|end_header_id|>',
  '<|end|>',
  '<|return|>',
  '<|call|>',
  '<|start|>assistant<|channel|>final<|message|>',
  '<|start|>assistant',
  '<|channel|>final<|message|>',
  '<|channel|>commentary<|message|>',
  '<|START_RESPONSE|>',
  '<|END_RESPONSE|>',
  '<|START_OF_TURN_TOKEN|>',
  '<|END_OF_TURN_TOKEN|>',
  '<|begin_of_solution|>',
  '<|end_of_solution|>',
  '<|assistant|>',
  '<|observation|>',
  '<|user|>',
  '<end_of_turn>',
  '<start_of_turn>model',
  '<｜end▁of▁sentence｜>',
  '<｜Assistant｜>',
]

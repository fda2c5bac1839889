// Answers as models write them (shapes of public transcripts, in other words): Markdown, tables, formulas, code, Chinese, right to left, mixed. With each
// stands what people must see of it, sign by sign.
const { raw } = String

/** The answer, and what must stand in it on every channel. */
export type RealAnswer = readonly [answer: string, ...kept: readonly string[]]

const arithmetic: readonly RealAnswer[] = [
  ['Sure! **17 × 23** is 391:\n\n17*20=340\n17*3=51\n340+51 = **391**', '17*20=340', '17*3=51', '391'],
  ['5! = 5*4*3*2*1 = **120**. In general n! = n*(n-1)*(n-2)*...*1.', '5*4*3*2*1', 'n*(n-1)*(n-2)*...*1', '120'],
  ['2**10 = 1024, and 2**16 = 65536; in Python `2**10` gives the same.', '2**10 = 1024', '2**16 = 65536', '2**10'],
  ['The area is 3.5*2.2*1.5 m³ = 11.55 m³, *not* 10 m³.', '3.5*2.2*1.5', '11.55'],
  ['x**2 + y**2 = r**2 is a circle, and *a*x + b*y = c* is a line', 'x**2 + y**2 = r**2', 'b*y'],
  ['| n | n! |\n|--:|:--|\n| 3 | 3*2*1 = 6 |\n| 4 | 4*3*2*1 = 24 |', '3*2*1 = 6', '4*3*2*1 = 24'],
  ['1. First: 12*12=144\n2. Then: 144*2=288\n3. Total: **288**', '12*12=144', '144*2=288'],
  ['Rent: $1,200/month, deposit $2,400 (2*$1,200), so **$3,600** up front.', '$1,200', '$2,400 (2*$1,200)', '$3,600'],
  ['It costs between $5 and $10, or US$8 on average (about 7$ for students).', '$5 and $10', 'US$8', '7$'],
  ['Compound interest: 1000*(1+0.05)**3 ≈ 1157.63 (that is 1.05*1.05*1.05).', '1000*(1+0.05)**3', '1.05*1.05*1.05'],
  ['面积=长*宽*高/2，所以 3*4*5/2=**30**。', '长*宽*高/2', '3*4*5/2', '30'],
  ['总价 = 单价*数量*(1-折扣)，即 99*3*0.8=237.6元。', '单价*数量', '99*3*0.8=237.6'],
  ['合計は 120*3+80*2=520円です。**税込**では 520*1.1=572円。', '120*3+80*2=520', '520*1.1=572', '税込'],
  ['Площадь = a*b, объём = a*b*c, а **2*3*4 = 24**.', 'a*b*c', '2*3*4 = 24'],
]

const names: readonly RealAnswer[] = [
  ['Put it into `__init__.py`, or rather edit __init__.py and __main__.py.', '__init__.py', '__main__.py'],
  [
    'The class has __init__, __repr__ and __eq__ methods; _private_ is by convention.',
    '__init__',
    '__repr__',
    '__eq__',
  ],
  [
    'Use snake_case_names, UPPER_CASE_NAMES and _leading_underscore, not camelCase.',
    'snake_case_names',
    'UPPER_CASE_NAMES',
  ],
  [
    'def f(*args, **kwargs) passes *args and **kwargs on to g(*args, **kwargs).',
    'f(*args, **kwargs)',
    'g(*args, **kwargs)',
  ],
  [
    'Match src/**/*.ts and test/**/*.test.ts, but not **/node_modules/**.',
    'src/**/*.ts',
    'test/**/*.test.ts',
    '**/node_modules/**',
  ],
  ['`SELECT COUNT(*)` counts rows: COUNT(*) is not SUM(*) and COUNT(*) ignores nothing.', 'COUNT(*)', 'SUM(*)'],
  [
    'Set MAX_RETRY_COUNT=5 and DB__HOST=localhost in .env, then **restart**.',
    'MAX_RETRY_COUNT=5',
    'DB__HOST=localhost',
  ],
  [
    '| name | what |\n|---|---|\n| __dirname | folder |\n| process.env.NODE_ENV | mode |\n| __filename | file |',
    '__dirname',
    '__filename',
    'NODE_ENV',
  ],
  ['char *p, **pp; int *q = *pp; *q = 3;', 'char *p, **pp', '*q = *pp', '*q = 3'],
  [raw`Open C:\Users\ann\_config\.app\*.json in the editor.`, raw`C:\Users\ann\_config\.app\*.json`],
  ['Cron: */5 * * * * runs every five minutes, and 0 */2 * * 1-5 every two hours.', '*/5 * * * *', '0 */2 * * 1-5'],
  [
    '文件 __init__.py 与变量 my_var_name 要一致，**注意：**不要改 user_id。',
    '__init__.py',
    'my_var_name',
    'user_id',
    '注意：',
  ],
  [
    '请检查 `config/app_settings.yaml` 中的 max_tokens 与 top_p，默认 temperature=0.7。',
    'app_settings.yaml',
    'max_tokens',
    'top_p',
  ],
  ['Regexes: `^a.*b$`, and in words .*foo.* or [a-z]*_[0-9]* will do.', '.*foo.*', '[a-z]*_[0-9]*'],
  [
    'Models: gpt_4o_mini, qwen2.5_72b_instruct_q4_K_M, and **llama_3**.',
    'gpt_4o_mini',
    'qwen2.5_72b_instruct_q4_K_M',
    'llama_3',
  ],
  ['**R**andom **A**ccess **M**emory, short RAM, and **Docker**izing things.', 'Random Access Memory', 'Dockerizing'],
]

const formulas: readonly RealAnswer[] = [
  [raw`The roots are \( x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a} \).`, raw`\( x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a} \)`],
  [
    'The matrix is\n\n\\[\nA = \\begin{bmatrix} a_1 & b_1 \\\\ c_1 & d_1 \\end{bmatrix}\n\\]\n\nand its determinant is $a_1*d_1 - b_1*c_1$.',
    '\\[\nA = \\begin{bmatrix} a_1 & b_1 \\\\ c_1 & d_1 \\end{bmatrix}\n\\]',
    '$a_1*d_1 - b_1*c_1$',
  ],
  [raw`Let $S = \{1,\,2,\,3\}$ and $f: S \to \mathbb{R}$.`, raw`$S = \{1,\,2,\,3\}$`, raw`$f: S \to \mathbb{R}$`],
  [
    '$$\n\\begin{aligned}\nf(x) &= x_1 + x_2 \\\\\n     &= x_1 * x_2\n\\end{aligned}\n$$',
    '&= x_1 * x_2\n\\end{aligned}\n$$',
  ],
  [
    raw`Bayes: $$P(A|B) = \frac{P(B|A)\,P(A)}{P(B)}$$ where $P(B) > 0$.`,
    raw`$$P(A|B) = \frac{P(B|A)\,P(A)}{P(B)}$$`,
    '$P(B) > 0$',
  ],
  [
    raw`| rule | formula |
|---|---|
| product | $(fg)' = f'g + fg'$ |
| norm | $\|x\|_2 = \sqrt{\sum_i |x_i|^2}$ |`,
    "$(fg)' = f'g + fg'$",
    raw`$\|x\|_2 = \sqrt{\sum_i |x_i|^2}$`,
  ],
  [
    raw`1. **Mean:** \(\bar{x} = \frac{1}{n}\sum_{i=1}^{n} x_i\)
2. **Variance:** \(s^2 = \frac{1}{n-1}\sum (x_i - \bar{x})^2\)`,
    raw`\(\bar{x} = \frac{1}{n}\sum_{i=1}^{n} x_i\)`,
    raw`\sum (x_i - \bar{x})^2\)`,
  ],
  [raw`> **Theorem.** If $a^n + b^n = c^n$ with $n > 2$, then $abc = 0$.`, '$a^n + b^n = c^n$', '$n > 2$', '$abc = 0$'],
  [
    '\\begin{align*}\n\\nabla \\cdot E &= \\rho \\\\\n\\nabla \\times B &= J_1*c\n\\end{align*}',
    '&= \\rho \\\\\n\\nabla \\times B &= J_1*c',
  ],
  [
    raw`二次公式为 \(x=\frac{-b\pm\sqrt{\Delta}}{2a}\)，其中**判别式**$\Delta=b^2-4ac$。`,
    raw`\(x=\frac{-b\pm\sqrt{\Delta}}{2a}\)`,
    raw`$\Delta=b^2-4ac$`,
  ],
  [
    raw`速度公式：$$v = \frac{\text{距离}}{\text{时间}}$$，单位 $m/s$。`,
    raw`$$v = \frac{\text{距离}}{\text{时间}}$$`,
    '$m/s$',
  ],
  [
    raw`The set \(\{x \in \mathbb{N} \mid x < 10\}\) has 10 elements \[1\].`,
    raw`\(\{x \in \mathbb{N} \mid x < 10\}\)`,
    '[1]',
  ],
  [raw`So **$E = mc^2$**, *$p_i = m_i*v_i$*, and ~~$F = ma^2$~~.`, '$E = mc^2$', '$p_i = m_i*v_i$', '$F = ma^2$'],
  [
    raw`# Integral of \(x_1^2\)

$$\int_0^1 x^2\,dx = \left[\frac{x^3}{3}\right]_0^1 = \frac{1}{3}$$`,
    raw`\(x_1^2\)`,
    raw`\left[\frac{x^3}{3}\right]_0^1`,
  ],
  [
    raw`- Big O: $O(n \log n)$
- Small: $o(n)$
- at $5 per million calls`,
    raw`$O(n \log n)$`,
    '$o(n)$',
    '$5 per',
  ],
  ['1. Step one\n\n   \\[\n   x_1 = 2 \\\\\n   + y_1\n   \\]\n\n2. Step two: $x_1*2 = 4$', '$x_1*2 = 4$'],
]

const tables: readonly RealAnswer[] = [
  [
    '| Step | Command |\n|---|---|\n| 1 | install node<br>clone the repo<br/>run `npm start` |\n| 2 | open localhost:3000 |',
    'install node',
    'clone the repo',
    'localhost:3000',
  ],
  ['| Op | Meaning |\n|:-:|---|\n| `a | b` | or |\n| `a || b` | logical or |\n| `a & b` | and |', 'or', 'logical or'],
  [
    '| 步骤 | 说明 |\n|---|---|\n| 一 | **注意：**先备份<br>再升级到 v2.0.1 |\n| 二 | 运行 `npm ci` |',
    '注意：',
    'v2.0.1',
    'npm ci',
  ],
  [
    '| Plan | Price |\n|---|---:|\n| Basic | $5/mo |\n| Pro | $10/mo |\n| Team | $25*n/mo |',
    '$5/mo',
    '$10/mo',
    '$25*n/mo',
  ],
  [
    '| key | default |\n|---|---|\n| max_new_tokens | 512 |\n| top_k | 40 |\n| repetition_penalty | 1.05 |',
    'max_new_tokens',
    'top_k',
    '1.05',
  ],
  ['| a | b | a*b |\n|---|---|---|\n| 2 | 3 | 2*3=6 |\n| -1 | 0.5 | -1*0.5=-0.5 |', 'a*b', '2*3=6', '-1*0.5=-0.5'],
  [
    'Compare:\n\n|  | A | B |\n|---|---|---|\n| **Speed** | ✅ 10 ms | ❌ 200 ms |\n| *Memory* | 1.5 GB | 0.5 GB |\n\nA wins.',
    '10 ms',
    '1.5 GB',
    'A wins.',
  ],
  ['| Tag | Use |\n|---|---|\n| <br> | line break |\n| <b> | bold |', '<br>', '<b>'],
]

const code: readonly RealAnswer[] = [
  [
    '```python\ndef f(*args, **kwargs):\n    return args[0] ** 2  # __init__\n```\n\nThen f(3)**0.5 gives 3.0.',
    'args[0] ** 2',
    '__init__',
    'f(3)**0.5',
  ],
  [
    'Run:\n\n```bash\necho $HOME && ls *.txt | grep -v "_old"\n```\n\nIt prints $HOME.',
    'ls *.txt | grep -v "_old"',
    '$HOME',
  ],
  ['```\n$x_1 * y$ and <br> stay\n```', '$x_1 * y$ and <br> stay'],
  ['In TypeScript: `Record<string, number[]>` or `a ?? b`; **never** `any`.', 'Record<string, number[]>', 'a ?? b'],
  ['- Build:\n  ```sh\n  make -j4 CC=gcc_12\n  ```\n- Test: `make test_all`', 'make -j4 CC=gcc_12', 'make test_all'],
  ['````markdown\n```js\nlet a_b = 2*3*4\n```\n````', 'let a_b = 2*3*4'],
  ['```mermaid\ngraph TD\n  A_1 --> B_2\n```', 'A_1 --> B_2'],
  ['```latex\n\\frac{a_1}{b_1} \\\\ \\{c\\}\n```', '\\frac{a_1}{b_1} \\\\ \\{c\\}'],
  ['> ```json\n> {"a_b": "*x*"}\n> ```\n> and 2*3*4', '"a_b": "*x*"', '2*3*4'],
]

const mixed: readonly RealAnswer[] = [
  [
    '参考**https://example.com/x**（说明），官网：*https://example.com/v*（英文）',
    'https://example.com/x',
    'https://example.com/v',
    '（说明）',
  ],
  [
    '- **文档：**https://example.com/u_1\n- **仓库**：https://example.com/a_b_c。',
    'https://example.com/u_1',
    'https://example.com/a_b_c',
    '仓库',
  ],
  ['详见https://example.com/docs/第1章，然后执行 npm_config_x=1。', 'https://example.com/docs/第1章', 'npm_config_x=1'],
  ['**重点：**先看“**说明**”，再看《**手册**》第3*4页。', '重点：', '说明', '手册', '3*4'],
  ['これは**「重要」**です。値は x_1*x_2 と y_1*y_2 です。', '「重要」', 'x_1*x_2', 'y_1*y_2'],
  ['한국어**(강조)**는 되고, 3*4*5=60 도 맞습니다. **중요**합니다.', '(강조)', '3*4*5=60', '중요합니다'],
  ['مرحبا! النتيجة هي 17*20=340 و**المجموع** هو 391.', '17*20=340', 'المجموع', '391'],
  ['הפונקציה __init__ מקבלת *args, והתוצאה **2*3=6**.', '__init__', '*args', '2*3=6'],
  ['- אחד: `x = 1`\n- two: y_1*y_2*y_3\n- ثلاثة: $z_1^2$', 'x = 1', 'y_1*y_2*y_3', '$z_1^2$'],
  ['สวัสดี **ตัวหนา**และ 5*6*7=210 ครับ', 'ตัวหนาและ', '5*6*7=210'],
  [
    'Great question! 🎉 Here are **three** tips:\n\n1. *Sleep* 7–9 h\n2. Walk 10,000 steps\n3. Drink 2.5 L\n\n---\n\nTell me more?',
    '7–9 h',
    '10,000',
    '2.5 L',
  ],
  [
    'The score was 3:2 (2:1), at 19:30, on 2026-11-28, in 1h_30m; ~5~10% more.',
    '3:2 (2:1)',
    '2026-11-28',
    '1h_30m',
    '~5~10%',
  ],
  [
    'See [the docs](https://a.example/p_q_r) and PR #1234, commit a1b2c3d_e, v1.2.3-rc.1+build_5.',
    '#1234',
    'a1b2c3d_e',
    'v1.2.3-rc.1+build_5',
  ],
  ['H~2~O and E=mc^2^ are no marks here, ^_^ and ¯\\\\_(ツ)_/¯ neither.', 'H~2~O', '^_^'],
  ['Use <b>bold</b> & "quotes" &amp; 5 < 6 > 4; a&b=1&c_d=2', '<b>bold</b>', '5 < 6 > 4', 'a&b=1&c_d=2'],
  [
    '*Note: the value of a_b*c_d is 6*\n\n***Both*** and **bold *and slanted* words** end.',
    'a_b*c_d',
    'Both',
    'bold and slanted words',
  ],
]

export const shortAnswers: readonly RealAnswer[] = [...arithmetic, ...names, ...formulas, ...tables, ...code, ...mixed]

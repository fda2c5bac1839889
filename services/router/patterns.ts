// The router's words and thresholds: the defaults of seed 000 §3.1.2 and seed 003 "Complexity Detector" in Chinese and
// English, all configurable. Lists hold plain words, except `meta`, `refusal` and `step_keywords`: patterns (pattern-source.ts).
import { z } from 'zod'
import { metaRows } from './meta-rows.ts'
import { patternProblem } from './pattern-source.ts'

const words = z.array(z.string().trim().min(1).max(80)).max(600)
const pattern = z.string().superRefine((source, context) => {
  const problem = patternProblem(source)
  if (problem !== undefined)
    context.addIssue({ code: 'custom', message: `the pattern "${source.slice(0, 60)}" ${problem}` })
})
const patterns = z.array(pattern).max(200)
const list = (text: string): string[] => text.trim().split(/\s*[|\n]\s*/u)

const rows = (text: string): string[] => text.trim().split(/\s*\n\s*/u)

const phatic = {
  acknowledge:
    list(`好的|好|好嘞|好滴|好哒|好呀|好啊|好吧|好哦|好咧|行|行吧|行啊|可以|可以的|嗯|嗯嗯|恩|对|对的|是|是的|没错|收到|明白|明白了|了解|了解了
    懂了|知道了|没问题|同意|就这样|就这么办|当然|当然可以|要|要的|需要|确认|批准|成|中|没意见|可|得|OK的|好的呢|来吧|麻烦了|麻烦你了|拜托|拜托了|那就这样|按你说的办|按你说的做|按你说的来|就按这个来|听你的|你看着办|都行|都可以|帮我吧|麻烦帮我|行的|那来吧|弄吧|整吧|搞起|安排|安排上|妥|没毛病|必须的|那必须|很需要|就它了|就这个
    ok|okay|okey|okie|k|kk|okk|oki|okie dokie|okey dokey|okdok|roger that|you got it|yes|yeah|yep|yup|ya|yea|sure|sure thing|of course|absolutely|definitely|certainly|right|alright|all right|fine|that's fine
    got it|gotcha|understood|roger|copy that|noted|will do|sounds good|sounds great|makes sense|i see|please|yes please|that works|works for me|deal
    agreed|agree|i agree|approve|approved|confirm|confirmed|correct|exactly|indeed|go|please do|do|by all means|why not|true|you bet|lgtm|sounds like a plan|if you could|if you can|if you don't mind|that would be great|that'd be great|would be great|that would be nice|that would be helpful|i'd love that|i'd like that|yes do that|for me|be my guest|up to you|as you wish|of course please|yes i do|yes i would|i would|i do|you can|you may|👍|👌|✅|✔|🆗|🙆|👍🏻|💯`),
  refusal:
    list(`不|不用|不用了|不了|不要|不要了|不必|不必了|不需要|不需要了|没有|没有了|没了|先不|先不用|先不了|先不要|算了|还是算了|暂时不|暂时不用|暂时不需要|先别|别|否|不行|不是|没事了|没别的了|等等|等一下|等会|等会儿
    稍等|稍等一下|晚点再说|以后再说|下次吧|下次再说|改天吧|再说吧|取消吧|不麻烦了|不用麻烦了|我自己来|我自己来吧|拒绝|不同意|先放着|先放一放|不着急|不急|还没|还不行
    no|nope|nah|no thanks|no thank you|no need|not now|not yet|not really|not today|maybe later|another time|never mind|nevermind|nvm|don't|please don't|don't do it|no i'm good|wait|hold on|hang on|skip it|skip|forget it|leave it|nothing else|nothing|not necessary|reject|decline|some other time|i'll do it myself|no that's all|i'll pass|pass`),
  proceed:
    list(`继续|继续吧|接着|接着说|接着来|往下|开始吧|开始|做吧|干吧|弄吧|搞吧|发吧|去吧|执行|执行吧|动手吧|就这么做|那就做吧|你来吧|走起|麻烦继续|请继续|可以开始了|那就开始吧|那就继续吧|好来吧|执行吧|同意执行|继续说
    continue|go on|go ahead|keep going|proceed|carry on|do it|do that|please continue|please proceed|let's do it|let's go|start|go for it|go right ahead|fire away|let's do that|let's do this|do so|please do so|do that please|yes do it|make it so|ship it|next`),
  social:
    list(`谢谢|谢谢你|谢谢您|谢谢啦|谢谢了|谢啦|谢了|多谢|感谢|非常感谢|十分感谢|太感谢了|万分感谢|感激不尽|感恩|谢谢哈|谢谢哦|谢谢呀|谢谢哟|谢|蟹蟹|3q|辛苦|辛苦了|辛苦啦|不客气|客气了|没事|没事儿|没关系|不要紧|没什么
    你好|您好|你好呀|你好啊|哈喽|哈啰|嗨|嘿|早|早安|早上好|上午好|中午好|下午好|晚上好|晚安|午安|好梦|做个好梦|好耶|耶|棒棒|奈斯|甚好|极好|挺好的呀|真不错呀|早点休息|注意休息|好好休息|注意身体|周一见|下周见|待会见|一会见|待会儿见|回来再说|忙去了|安|再见|拜|拜拜|拜了|回头见|回头聊|明天见|下次见|改天聊|马上看|马上来|马上去|这就去|这就看|我看看|我看一下|我试试|我去试试|我试一下|我想想|我先看看|我去看看|我先试试|回头再聊|下次再聊|改天再聊|有空再聊|明天再聊|先走了|先撤了|回见|先这样|就这样吧|下了|睡了|我先睡了
    先去忙了|先忙了|我先下了|我去忙了|在吗|在么|在不在|在不|你好吗|最近怎么样|你今天怎么样|今天过得怎么样|你最近怎么样|今天还好吗|还好吗|近来可好|最近好吗|吃了吗|吃了没|哈|呵|嘻|嘿嘿|呵呵|哈哈|嘻嘻|hhh|hh|h|笑死|笑死我了|笑哭|绝了|牛|牛逼|牛批|nb|6|666|66|233|2333|88|886|520|yyds|哦哦|啊啊
    厉害|太厉害了|厉害了|赞|点赞|棒|太棒了|真棒|很棒|你真棒|你太棒了|你真好|你最棒|真好|太好了|很好|挺好|挺好的|真不错|不错|不错不错|太牛了|太强了|强|妙|妙啊|完美|优秀|可爱|爱你|么么哒|比心|加油|漂亮
    原来如此|这样啊|这样|原来是这样|是这样啊|哦|噢|喔|啊|呀|哇|哇塞|天哪|天啊|我去|我的天|唉|哎|哎呀|诶|欸|咦|嗷|哼|呜|呜呜|呃|额|嘛|呢|吧|了|啦|哒|滴|哟|呦|咯|嘞|真的|确实|有道理|懂|秒懂|学到了|长知识了
    不好意思|抱歉|对不起|打扰了|新年快乐|春节快乐|生日快乐|节日快乐|中秋快乐|圣诞快乐|恭喜|恭喜恭喜|恭喜发财|周末愉快|周末快乐|祝好|祝你好运|一路顺风|帮大忙了|帮了大忙|正是我想要的|正是我需要的|解决了|搞定了|搞定|问题解决了
    thanks|thank you|thank u|thankyou|thank|thx|tks|ty|tysm|tyvm|many thanks|thanks a lot|thanks a bunch|thanks a million|thanks a ton|much appreciated|appreciate it|i appreciate it|appreciated|i really appreciate it|cheers|merci|arigato|gracias|danke
    hi|hello|hey|heya|hiya|howdy|yo|hi there|hello there|hey there|greetings|morning|good morning|good afternoon|good evening|good night|good day|night|gm|gn|nighty night|sleep well|sweet dreams|hola|bonjour
    bye|bye bye|byebye|goodbye|good bye|see you|see ya|see you later|see you soon|see you tomorrow|see you around|cya|later|laters|ttyl|talk to you later|talk later|chat later|chat soon|speak soon|speak later|see you then|until tomorrow|got to go|gotta go|gtg|g2g|i have to go|talk soon|take care|have a nice day|have a good day|have a great day|have a good one|have a good night|have a nice weekend|have a great weekend|have a good weekend|have fun|catch you later|brb|until next time
    how are you|how are you doing|how are you today|how's it going|how is it going|what's up|whats up|wassup|sup|how do you do|nice to meet you|you there|are you there|anyone there
    ha|haha|hahah|hahaha|hahahaha|hehe|heh|hihi|lol|lolol|lmao|rofl|lmfao|xd|omg|oh my god|wow|whoa|woah|yay|yey|hooray|woohoo|whoo|oh|ah|aha|ahh|hm|hmm|mm|mmm|mhm|uh|uhh|uh huh|um|eh|oops|ouch|aww|aw|phew|yikes|oh well|oh no|damn|gosh|geez|well|so
    great|nice|cool|awesome|perfect|excellent|amazing|wonderful|fantastic|brilliant|lovely|beautiful|sweet|super|good|very good|so good|not bad|neat|impressive|incredible|well done|good job|great job|nice job|nice work|great work|good work|good one|nice one|good bot|good to know|good point|fair enough|interesting|love it|i love it|love you|i love you|ily|luv u
    you rock|you're the best|you are the best|you're awesome|you are awesome|you're amazing|you are amazing|you're great|you are great|you're a lifesaver|lifesaver|legend|you're welcome|welcome|you are welcome|no problem|np|no worries|nw|no prob|anytime|my pleasure|not at all|all good|it's ok|it's okay|it's fine|never mind that
    that's great|that's awesome|that's perfect|that's good|that's nice|that helps|that helped|this helps|that was helpful|very helpful|super helpful|really helpful|so helpful|helpful|i'll try it|i'll try that|i'll give it a try|let me try|let me try that|let me see|let me check|will check|i'll check it out|i'll take a look|on it|on my way|will try|i'll do that|i will|it works|it worked|works now|it works now|that worked|exactly what i needed|just what i needed|that's exactly what i needed|that's what i needed|that's all|that is all|that's it|that's all i needed|that's all for now|all set|i'm good|i'm fine
    sorry|my bad|apologies|i'm sorry|excuse me|pardon|happy birthday|happy new year|merry christmas|happy holidays|happy weekend|happy friday|congrats|congratulations|good luck|cheers mate|enjoy|bless you|peace|gg|wp|glhf|fyi|tgif|same|me too|same here|true that|word|bravo|kudos|hurray`),
  filler:
    list(`你|您|我|都|的|那|先|也|就|太|很|真|非常|超|超级|大家|各位|亲|亲爱的|老板|老师|大佬|同学|朋友|兄弟|宝|宝贝|小助手|助手|机器人|小可爱|哥|姐|朋友们|伙伴们|一下|你们|今天|到时候|这么快
    you|u|so|very|much|very much|so much|a lot|again|really|too|everyone|everybody|all|guys|folks|team|there|man|dude|bro|buddy|mate|friend|my friend|sir|boss|bot|dear|pal|amigo|amigos|friends|love|sweetie|honey|darling|champ|and|then|anyway|at all|though|still|already|for now|now|a ton|a bunch|indeed|just|oh|ok|that|it|that's|it's|is|was|i|i'm|me|as well|everything|today|both|y'all|to|one|for|sir|madam|my`),
}

const complexity = z.strictObject({
  enabled: z.boolean().default(true),
  step_keywords: patterns.default(
    rows(`步骤
    先.*再.*然后
    分析并
    重构
    迁移
    帮我做
    帮我搞
    (step by step|multi-step|several steps|all steps|the steps|steps to)
    first.*(then|next|after that).*(finally|then|lastly|after that)
    anal(yze|yse) .{0,30} and
    refactor(ing)?
    migrat(e|ing|ion)`),
  ),
  multi_tool_domains: z.record(z.string().min(1).max(40), words).default({
    search: list('搜索|查一下|找找|search|look up|google'),
    file: list('文件|代码|读取|file|files|code'),
    shell: list('执行|运行|命令|execute|run|command|commands|shell'),
  }),
  /** How many domains in one message make it complex. */
  multi_tool_threshold: z.number().int().min(1).max(20).default(2),
  /** A message of more characters (code points) than this is complex. */
  message_length_threshold: z.number().int().min(1).max(100_000).default(80),
  /** In the bot's previous reply. */
  continuation_markers: words.default(list('接下来|第一步|下一步|next step|next steps|first step|step 1')),
})

const routing = z.strictObject({
  /** Words that may fill a whole courtesy. `acknowledge` and `proceed` accept an offer; `proceed` alone is work. */
  social: words.default(list(`好的|ok|👍|收到|明白|谢谢|${phatic.social.join('|')}`)),
  acknowledge: words.default(phatic.acknowledge),
  proceed: words.default(phatic.proceed),
  filler: words.default(phatic.filler),
  /** A whole message that declines or puts off what was offered. */
  refusal: words.default(phatic.refusal),
  /** Adverbs and adjectives of a wish for brevity or detail: they count only where they qualify the reply. */
  brief: words.default(
    list(
      '简单|快速|一句话|简要|tl;dr|简短|简洁|简略|简明|大致|大概|粗略|扼要|精简|概括|briefly|concisely|succinctly|brief|short|shorter|concise|quick|quickly|tldr',
    ),
  ),
  detailed: words.default(
    list(
      '详细|深入|完整|全面|彻底|详尽|具体|仔细|细致|透彻|in detail|in depth|detailed|in-depth|thorough|thoroughly|comprehensive|comprehensively|exhaustive|extensive|complete|full|longer|extensively|at length',
    ),
  ),
  /** Phrases that are such a wish wherever they stand, unless negated or quoted. */
  briefPhrases: words.default(
    list(`长话短说|言简意赅|三言两语|一两句|一两句话|两三句话|几句话|说重点|讲重点|挑重点|划重点|只要结论|只说结论|说结论|给结论|给我结论|直接告诉我|直接给答案|直接说答案|直接给我答案|少废话|废话少说|点到为止|别啰嗦|不要啰嗦|别废话|不要废话|别展开|不要展开|不用展开|无需展开|不用解释|不要解释|别解释|无需解释|简而言之
      tl;dr|tldr|in short|in brief|in a nutshell|in a few words|in a couple of words|in one sentence|in a sentence|in one line|in a word|in one word|in one paragraph|in two sentences|in simple terms|in simple words|in plain words|one sentence answer|keep it short|keep it brief|keep it simple|keep it concise|keep this short|keep it quick
      make it short|make it brief|make it quick|make it shorter|make it concise|be brief|be concise|be quick|be short|be succinct|short answer|short version|shorter version|quick answer|quick summary|quick overview|quick rundown|quick recap|brief answer|brief summary|brief overview|brief explanation|short summary|short explanation|short reply|one-liner|one liner
      the gist|just the answer|only the answer|just the basics|just the highlights|just the essentials|just the key points|only the key points|main points only|key points only|just the facts|the bottom line|cut to the chase|get to the point|straight to the point|spare me the details|skip the details|skip the explanation|high-level overview|put simply|simply explain|explain simply|long story short|as short as possible|as brief as possible|as briefly as possible|as concise as possible|just yes or no|yes or no answer|simple yes or no|yes or no only|less detail|less detailed|fewer details`),
  ),
  detailedPhrases: words.default(
    list(`展开讲|展开说|展开聊|展开谈|展开解释|展开分析|展开介绍|细说|细讲|细聊|讲细|说细|来龙去脉|事无巨细|从头到尾讲|从头到尾说|方方面面|不要省略|别省略|不要遗漏|越细越好|越多越好|多说一点|多说点|多讲点|多讲一点|多说一些|多介绍一些|一步一步|一步步|逐步讲|逐步解释|刨根问底|长篇
      in detail|in details|in great detail|in more detail|in full detail|in much detail|in as much detail|in depth|in more depth|elaborate|expand on|expand more|go deep|go deeper|go into detail|go into details|go into more detail|into detail|into details|into depth|into the details|deep dive|dive deep|dive deeper|dig deeper|at length|leave nothing out|don't leave anything out|don't skip anything|don't leave out anything|don't hold back
      as detailed as possible|as thorough as possible|as much detail as possible|be detailed|be thorough|be more detailed|be more specific|be more thorough|be specific|more detailed|more thorough|more thoroughly|thoroughly|more depth|everything there is to know|all the details|every detail|full details|long version|longer answer|longer version|long answer|a lot of detail|lots of detail|plenty of detail|fully explain|explain fully|full story|nitty-gritty`),
  ),
  /** Count only as the thing asked for: the verb of a request, or the head of its object. */
  deepKeywords: words.default(
    list(
      '设计|架构|重构|优化|分析|规划|策略|方案|debug|排查|故障|调试|诊断|剖析|迁移|refactor|redesign|design|architect|architecture|rearchitect|optimize|optimise|analyze|analyse|analysis|plan|strategy|troubleshoot|diagnose|investigate|migrate|overhaul|restructure|roadmap|proposal|root cause|规划书|计划|计划书|设计图|架构图|optimization|audit|审计|复盘',
    ),
  ),
  /** Of these, the ones that are never the verb of a request. */
  deepObjects: words.default(
    list(
      '架构|策略|方案|故障|计划|计划书|规划书|设计图|架构图|architecture|analysis|strategy|roadmap|proposal|root cause|optimization',
    ),
  ),
  /** Verbs of work: `produce` makes a thing (its object may be deep), `act` does one, `build` is many steps by nature. */
  produce: words.default(
    list(
      '写|做|弄|搞|整|出|编|撰写|编写|制定|制作|起草|拟|拟定|列|列出|画|绘制|生成|创建|提供|提出|给出|准备|产出|输出|策划|定制|想|想出|解决|处理|定位|写出|拿出|create|make|write|draft|compose|generate|produce|prepare|develop|propose|come up with|draw up|put together|work out|give me|outline|solve|formulate|devise|do|conduct|perform|find|provide|sketch|craft|suggest|i need|i want|we need|we want',
    ),
  ),
  act: words.default(
    list(`翻译|译|总结|概括一下|归纳|整理|润色|改写|校对|修改|改|修|修复|修正|部署|发布|上线|发|发送|转发|回复|重启|启动|停止|运行|跑|执行|安装|卸载|配置|升级|更新|备份|恢复|删|删除|删掉|清理|清空|移动|复制|重命名|合并|拆分|提交|推送|回滚|转换|转成|转|换成|导出|导入|下载|上传|保存|打印|计算|统计|抓取|爬取|提取|添加|加|新增|增加|插入|替换|去掉|移除|排序|格式化|压缩|解压|预订|预定|订|预约|买|购买|下单|点|叫|取消|安排|提醒|设置|设|设定|定|约|换|换个|打包|登录|注册|签|充值|挂号|报名|投|刷|剪|拼|配|抠|调|装|剪辑|签到|拉黑|屏蔽|标记|归档|收藏|分享|同步|截图|录制|录音|加密|解密|朗读|画图|撤销|撤回|重试|解绑|绑定|续费|缴费|转账|退款|退订|改名|去除|筛选|过滤|去重|汇总|排版|誊写|抄送|群发|置顶|静音|催|问一下|转写|算|算一下|记个|归类|分类|挑|罗列|排|盯|跟进|联系|裁剪|放大|缩小|旋转|设成|调成|抄|补|补全|完善|改进|改善|重写|重做|重发|重跑|还原|刷新|停|停掉|杀掉|拉取|克隆|发起|召集|邀请|回|回信|拨打|导航|打车|锁|解锁|断开|连接|连上|启用|禁用|开通|注销|申请|报销|审批|批|唱|通知|联系|打电话|打开|关闭|关掉|播放|放|开|检查|审查|审核|测试|验证|监控|搭|搭建|实现|完成|补充|扩写|缩写|续写|起|取|编辑|美化|填|标注|监测|生成一下|调整|设为|评审|批改|拆|封装|接入|对接|记录
      translate|summarize|summarise|sum up|fix|repair|patch|correct|proofread|rewrite|rephrase|paraphrase|edit|revise|review|polish|deploy|release|publish|ship|send|email|mail|message|text|reply|forward|post|tweet|restart|reboot|start|stop|run|execute|install|uninstall|configure|set up|setup|set|upgrade|update|backup|back up|restore|delete|remove|clean|clear|move|copy|rename|merge|split|commit|push|pull|revert|roll back|rollback|convert|transform|export|import|download|upload|save|print|extract|scrape|crawl|add|append|insert|replace|sort|format|compress|book|reserve|order|buy|cancel|schedule|reschedule|arrange|remind|call|phone|open|close|play|pause|turn on|turn off|test|validate|verify|monitor|implement|code|build|draw|paint|render|design|sketch|list|fill|enable|disable|mute|ping|label|tag|sign|submit|change|modify|tidy|organize|organise|organize|categorize|classify|transcribe|shorten|simplify|extend|improve|complete|finish|connect|integrate|configure|count|resize|crop|create|wrap|bump|invite|notify|assign|track|fetch|kill|apply|log in|turn|put|follow up|reach out|contact|spell-check|double-check|look over|help with|fill out|fill in|get rid of|take a screenshot|take notes|hide|group|rank|expand|condense|host|pick up|drop off|respond to|answer my|clean up|tidy up|rearrange|reformat|re-run|rerun|rebuild|redeploy|reinstall|resend|reset|reopen|reassign|hook up|wire up|spin up|tear down|shut down|power off|dial|navigate|pack|zip|unzip|archive|attach|increase|decrease|lower|raise|reduce|swap|switch|adjust|highlight|rotate|trim|cut|paste|register|sign up|subscribe|unsubscribe|lock|unlock|mark|pin|unpin|share|ban|underline|remake|redo|undo|retry|clone|estimate|grade|pay|transfer|renew|scan|record|capture|sync|rebase|squash|lint|minify|bundle|containerize|dockerize|automate|parse|port|mock|annotate|encrypt|decrypt|calculate|compute|visualize|plot|chart|deduplicate|filter|dim|warm up|water|sum|invent|brainstorm|name|compile|refund|block|wake me|take care of|switch on|switch off`),
  ),
  build: words.default(
    list('搭|搭建|开发|构建|实现|打造|建|做|写|build|develop|implement|create|set up|make|write|code'),
  ),
  buildObjects: words.default(
    list(
      '系统|平台|网站|网页应用|应用|app|小程序|商城|后台|框架|引擎|游戏|流水线|项目|服务端|website|web app|application|platform|system|backend|frontend|game|pipeline|service|framework|engine|marketplace|saas|dashboard|clone|online store',
    ),
  ),
  /** Verbs that ask for information: an action among others, never a work product by themselves. */
  inform: words.default(
    list(
      '查|查询|查看|查一查|搜|搜索|搜一下|找|找找|看|看看|瞧瞧|解释|介绍|告诉|说|讲|聊|推荐|比较|对比|回答|说明|描述|了解|确认|读|读取|阅读|收集|调研|look up|search|find|look|see|check|explain|describe|tell|show|recommend|compare|read|research|collect|gather|figure out|find out|get|look into|look at|take a look|google|browse|study|define|answer|understand|identify',
    ),
  ),
  /** Looking at these is work on a machine, not a question to the world. */
  workObjects: words.default(
    list(
      '日志|log|logs|报错|代码|bug|磁盘|内存|进程|端口|数据库|接口|配置文件|语法|拼写|错别字|作文|code|typos|grammar|spelling|disk|cpu|pr|pull request|stack trace|tests|essay|draft|syntax|inbox',
    ),
  ),
  symptoms: words.default(
    list(
      "挂了|崩|崩溃|报错|异常|故障|宕机|失败|卡死|打不开|起不来|连不上|超时|oom|502|500|503|泄漏|变慢|down|crash|crashes|crashed|crashing|fail|fails|failing|failed|broken|timeout|timing out|leak|leaking|slow|outage|not working|keeps failing|doesn't work|hangs|error|errors",
    ),
  ),
  /** A clause about the bot itself, its memory, its settings or its current work. */
  meta: patterns.default(rows(metaRows)),
  /** A whole message that stops the running work, as `/stop` does. */
  stop: words.default(list('停|停止|停下|停下来|stop|cancel|别说了|住口')),
  complexity_detector: complexity.prefault({}),
})

/** The router's part of `flotilla.config.json`; every key may be left out. Unknown keys are refused. */
export const routingConfig = routing
export type RoutingConfig = z.infer<typeof routingConfig>

/** What holds without a configuration. */
export const defaultRouting: RoutingConfig = routingConfig.parse({})

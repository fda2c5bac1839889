// The default patterns for what concerns the bot itself, one a line, tested on each clause in lower case: who it is, what
// it can do, what it remembers, how it is set, how its current work goes. The subset of pattern-source.ts.

/** One pattern a line. */
export const metaRows = `
你(到底|究竟)?(是谁|是哪|叫啥|叫什么|怎么称呼|几岁|多大|来自|的(名字|功能|记忆|设置|模型|版本|能力|作者|开发者|主人|缺点|原理|知识库|权限|局限|进度|昵称|提示词))
你(是|是不是)(一个|个)?(什么|人|真人|机器人|ai|gpt|chatgpt|claude|程序|男|女|人工智能|大模型|哪家|基于|真的|活的|用什么)
你(都)?(会|能|可以|能够)(帮我)?(做|干|帮)?(我)?(些)?(什么|啥|哪些|嘛)(?:事|忙|呢|呀)?$
你会[^帮一这那我给把不]{1,8}(吗|么|不)$
(我的|你的)(名字|昵称|称呼|外号)(?:给)?(记|改|设|叫|换|存)
(别|不要|停止|禁止)(再)?(记录|保存|收集|追踪|推送|打扰|给我发通知|给我推送|发通知|提醒我了)
你的(回复|回答|说话|输出|聊天)(语言|风格|方式|语气|长度|口吻|格式)
你支持.{0,10}(吗|么|什么|哪些|哪几|多少)
你(能|可以|会)(听懂|看到|看见|看懂|识别|联网|上网|说话|处理|记住|访问|读|看)[^一这那我]{0,8}(吗|么)$
(使用|用|联系|设置|调教|称呼|教)你(?:呢|呀)?$
^(?:请|那)?(介绍|说说|讲讲|聊聊)(一下|下)?(你|你自己)(?:吧|呗|自己)?$
(介绍|说明|关于)(一下|下)?你自己
你(还|都|有没有|是否|会不会)?(记得|记不记得|记没记住|记住|忘了|忘记|忘没忘|记下)
你的(知识|训练|数据|工作原理|身份|角色|性格|生日|爸爸|妈妈|公司|时区|上下文|状态|任务|名称|头像|能力|来历|隐私|底层|算力|主人|创造者)
把(你的|所有|我的)?(通知|提醒|声音|推送|提示音|语音|消息提醒).{0,4}(关|打开|开启|静音|调)
(对|关于)我的?(记忆|了解|印象|信息|数据|资料)
你(都|对我)?(知道|了解|认识)(关于)?我(?:的|叫|是|喜欢|多|住|在|哪|吗|什么|$)
我(上次|之前|刚才|刚刚|昨天|以前|上周)?(都)?(跟|和|对|向|告诉|问|让|叫)过?你
我们?(上次|之前|刚才|刚刚|昨天|上周)(聊|说|讨论|谈)(到|过|的|了)(什么|哪|啥|是)
^(?:那|请问|所以)?我(叫什么|叫啥|是谁|的名字是|的名字叫|的生日是|喜欢什么|喜欢吃什么|住在哪|住哪|几岁|多大了)
^(请|麻烦|你|帮我|请帮我|那就|一定要|要)?(记住|记得我|记下来?|记一下|别忘了我|不要忘了我|不要记|别记)
^(请|你|那|请你|那就)?忘(掉|了|记)(我|这|那|刚|关于|之前|它|吧|所有|上面|一切)
把.{1,20}(忘掉|忘了|忘记|记住|记下来|从记忆)
(删除|清空|清除|清理|查看|导出|显示|看看|看下|删掉|重置|列出)(一下|所有)?你?(的|关于我的|对我的|我的|所有|全部|长期)?(记忆|偏好|设置|历史记录|聊天记录|对话记录|个人信息)
(语言|时区|昵称|通知|免打扰|静音|语气|称呼|回复风格|回答风格|默认深度|模型)(?:也|都|给我|帮我|的?设置)?(改|换|切|设|调|关|打开|开启)
(打开|关闭|开启|关掉|启用|禁用|切换|更改|修改|换|改|调整|设置)(一下|到|成|个|为|下)?(你的|所有)?(通知|免打扰|静音|语言|时区|夜间模式|深色模式|勿扰|模型|语气|昵称|回复风格|安静时段|记忆功能|自动记忆)
切换?(到|成|回|为)(中文|英文|英语|日语|深度模式|简洁模式|.{1,6}模式)
(用|说|讲|换成|改用|改成|使用)(中文|英文|英语|汉语|普通话|日语|法语|粤语|繁体中文|简体中文|德语|韩语)来?(回复|回答|跟我|和我|说话|交流|聊)
^(请|那就)?(说|讲|改用)(中文|英文|英语|汉语|普通话|日语|法语|粤语)(?:吧|$)
(以后|今后|从现在|从今|从此|之后).{0,6}(叫我|称呼我|回复我|回答我|叫你|别再|不要再|都用)
^(请|你可以|你就|那就)?(叫我|称呼我|喊我)
(进度|进展)(.{0,3})(怎么样|如何|怎样|到哪|多少|咋样|了|几|汇报|$)
^[^他她谁它总老]{0,10}(做|写|弄|搞|跑|查|改|处理|翻译|完成|分析|生成|整理|部署|修|搜|进行|画|准备)(得|的)(怎么样|如何|咋样|怎样)
^[^他她谁它总老]{0,10}(做|写|弄|搞|跑|查|改|处理|翻译|生成|整理|部署|修|画|分析|发|准备|安装|测试|干|忙|算|传|导出|下载)(完|好|到|成功)(哪|哪里|哪儿|哪一步|第几步|成)?(?:了没有?|了吗|了么|没有|没|了|吗)$
(完成|搞定|结束|成功|弄完|开始)(了没有?|了吗|了么|没有|没|多少了?|几成)$
^(那个|刚才的|之前的|那|现在)?(任务|工作|活|活儿|事|事情|结果)?(怎么样了|怎么样啦|好了吗|好了没|好了没有|好了么|咋样了|如何了|出来了吗|出来了没)$
^(你|大概|那|现在|请问|预计|大概还|任务)?还?(要|需要|得|有|剩)(多久|多长时间|几分钟|多少时间)(?:呢|啊|才能完成|能完成|才能好|能好|做完|完成|$)
你?(现在|正|正在|目前|还|刚才|刚刚)?在(干|做|忙|处理|搞|跑|想)(什么|啥|嘛|吗|哪个|哪一步)(?:呢|呀|$)
(卡住|卡死|做到哪|跑到哪|进行到|到哪一步|到第几步|哪一步了)
你(背后|现在)?(用|使用|是基于|基于|跑在|运行在)(的是|了|的)?(什么|哪)
谁(开发|创造|做|设计|训练|发明|写|创建|制造)(了|出|出来)?的?你
^(help|帮助|使用说明|功能列表|怎么用|设置|状态|菜单|使用帮助)$
你(都)?有(什么|哪些|没有|多少|多少个|几个|多少种)?(功能|能力|技能|记忆|感情|意识|名字|性别|缺点|局限|爱好|插件|工具|权限|生命|情绪|限制)
你(喜欢|讨厌|爱|害怕|想要|会不会|能不能|是否).{0,6}(什么|吗|累|联网|上网|撒谎|做梦|记住|睡觉)
我的(设置|偏好|配额|额度|用量|记忆|语言设置)
^(who|what|wat)( exactly| the hell| on earth)?( are| r|'re) (you|u|ya)(?: exactly| again| anyway| really)?$
(what's|what is|whats|tell me|change|say) (your|ur) (name|age|gender)
your (memory|memories|settings|language|name|system prompt|model|instructions|personality|tone|capabilities|limitations|limits|preferences|skills|features|developer|creator|creators|version|purpose|progress|status|knowledge cutoff|knowledge|training|purpose|birthday|timezone|time zone|rules|source code|api key|memory size|availability|avatar|training data|favou?rite [a-z]{3,12}|context window|reply style|style|current task|eta)
(about|introduce|describe) (yourself|urself)
(what|how|what else) (can|could|do|else can) (you|u) (do|help|remember|support|work|offer|know about)(?: for me| me| with| today|$| )
what (are|were) you (doing|working|up to|able|capable|busy|good at|made|trained|built|currently|called|running|based)
^(?:so |and |but |hey |wait )?(are|r) (you|u) (a|an|really|still|done|finished|busy|working|stuck|able|capable|human|real|gpt|chatgpt|claude|ai|alive|sentient|running|based|conscious|male|female|trained|online|open source|almost|nearly|just|chatting|made|powered|self-aware)
(do|did) you (still |even |ever )?(remember|recall|forget|know my|know me|know who i|know what i|know where i|know when i|know about me|keep|store|save|have|support|speak|understand|sleep|dream|learn|get tired|work)
(can|could|will|would) you (still |also )?(remember|recall|speak|understand|hear|browse|sing|feel|think|see images|see pictures|code$|access the internet|learn|forget|talk|stop remembering)
can you (read|handle|process|open|use|see|analyze|translate|write|search|generate|draw|make|do|create|edit|view) (images?|pictures?|files|pdfs?|pdf files|audio|videos?|voice messages?|code|documents|languages|the web|the internet|math|tools|emojis?|photos|links)$
(which|what) (model|version|llm|ai|languages?|commands|tools|features|skills|models|data|information|info|settings)( of [a-z]{2,10})? (are you|do you|can you|is this|have you|you|are running|did you)
^(?:please |also |and |hey |can you |could you |ok )?(remember|memorize|memorise|keep in mind|make a note|note|don't forget)(?: that|:| this:?)? (i|i'm|i am|i've|my|me|we|our|this|that|for next time|for later|to call me)
^(?:please |also |and |can you |could you |just |ok |now )?forget (what|everything|all|that|my|about|the fact|our|anything|your|this|i|me|the last|the previous|who)
(erase|wipe|clear|delete|show|export|list|view|reset|see|check|display|open|print)( me)?( all)?( of)? (my|your|our|the) (memory|memories|data|preferences|settings|history|chat history|conversation history|conversation|profile|notification settings|usage|quota|token usage)
(erase|wipe|delete|clear|remove) (everything|all|anything|what) (you know|about me|you have|you remember|you've)
what (do|did|have) you (know|remember|store|stored|learn|learned|have|remembered|save|saved)(?: about| on) (me|my|us)
(what|which|when|did|have) (did|have|was|had)? ?(i|we) (just |last |already )?(say|said|tell|told|ask|asked|talk|talked|discuss|discussed|mention|mentioned)(?: you| to you| about| last| yesterday| earlier| before|$)
(do you know|what's|what is|whats|when's|when is|what was) my (name|birthday|favou?rite [a-z]{3,12}|job|timezone|language|nickname|quota|usage|budget)
^(?:so )?(who am i|where do i live|what do i like|where do i work|how old am i)
(change|switch|set|update|adjust|configure)( my| the| your)?(?: default| reply| response| interface)? (language|timezone|time zone|nickname|tone|notification settings|notifications?|settings|model|depth|preferences|quiet hours|voice|verbosity)
(turn|switch|mute|unmute|enable|disable|stop)( on| off)?( the| all| my| sending)? ?(notifications?|dark mode|night mode|quiet hours|sounds?|voice mode|memory|proactive messages)(?: on| off)?
(stop|don't|quit|never) (remembering|remember|storing|store|saving|tracking|track|sending me|notifying|notify|messaging me)(?: my| me| that| what| this| notifications| these|$)
(reply|respond|answer|speak|talk|switch|chat|communicate)( back)?( to me| with me| me)?( only)? (in|to) (english|chinese|french|spanish|german|japanese|mandarin|korean|simplified chinese|traditional chinese|italian|portuguese|russian|cantonese|my language)
^(?:please )?(speak|use|switch to) (english|chinese|french|spanish|german|japanese|mandarin)(?: please| with me| from now on|$)
from now on
^(?:please |you can |just )call (me|you) [a-z]{2,15}$
(any|what's the|what is the|how's the|how is the|give me a|current|what's our|an) (progress|updates?|status|eta)(?: on| of| report| update| yet| so far|$)
(progress|status) (report|update|check)
how('s| is| are| was|s) (the|that|my|your|it|things|everything)(.{0,30}) (going|coming along|coming|progressing)
^(?:so |and |hey |ok |well )?(is|are) (it|that|this|everything|the (?:task|job|deploy|deployment|build|report|migration|script|analysis|translation|work|file|export)|my [a-z]{2,15}|things) (done|finished|complete|completed|stuck|running|deployed|ready)(?: yet| now| already)?$
(have|has|did) (you|it|the (?:task|job|deploy|deployment|build|report|migration|script|analysis)|my [a-z]{2,15})( already| just| even)? (finish|finished|done|start|started|complete|completed|fix|fixed|deploy|deployed|send|sent|get|check|checked|manage|run|succeed|made|make|found|find)
how much (have you|of it|is left|is done)
^(?:all |almost |are you )?(done|finished|ready)(?: yet| already)?$
how (much longer|far along|far have you|far are you|many steps|close are you)
how long (will|until|till|before) (you|it's done|it is done|it take you|this take you|you're done|you are)
what('s| is) (taking|left to do|left|the holdup|next on your|your)
what (step|stage) (are|is)
where did you (leave off|stop|get to)
where are you (at|from|with|based|located|now|up to|in)?
who (made|created|built|trained|developed|designed|programmed|owns|runs|is behind) (you|u)
how (old|smart|big) are you
how (do|can|should|would) (i|we) (use|configure|reset|teach|customi[sz]e|train|set up|talk to|contact) you
^(help|commands|settings|status|menu|what now)$
you (forgot|remembered|said earlier|told me earlier)
`

// Words and characters that stand in every other sentence: a search for them finds everything, so that they are left out of texts and questions.

/** English, lower case, without what follows an apostrophe. */
export const stopWords = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can cannot could
did do does doing done down during each ever few for from further had has have having he her here hers herself him himself his how i if in into is it
its itself just let ll m me might more most must my myself no nor not now of off on once one only or other our ours ourselves out over own
re s same shall she should so some such t than that the their theirs them themselves then there these they this those through to too under until up
us ve very was we were what when where which while who whom whose why will with would yet you your yours yourself yourselves d
don doesn didn isn aren wasn weren hasn haven hadn won wouldn shouldn couldn ain oh ok okay hey hi yeah yes yep gonna wanna gotta`
    .split(/\s+/)
    .filter(Boolean),
)

/** Of Chinese: a character alone, and in pairs of which both are such. */
export const stopSigns = new Set(
  '的了是在我你他她它们您吗呢吧啊么什哪谁这那和与就都也还有之其于以及或被把对为个些着过到从会能可请问多少怎样何几时候',
)

"""The words that planted reviews are made of; of praise and blame the common ones come first.

``SELDOM`` are adjectives of which a training set of 2,000 reviews has one or two each, or none.
"""


def words(text: str) -> tuple[str, ...]:
    """The words of a line."""
    return tuple(text.split())


ADJECTIVES = {
    True: words(
        "good great funny charming moving clever fresh warm bright lovely superb tender witty gripping "
        "honest elegant thrilling delightful brilliant sweet smart vivid graceful inventive touching "
        "wonderful lively sincere sharp radiant stirring beautiful playful rich assured poignant "
        "excellent hilarious dazzling captivating splendid magnetic soulful exquisite riveting uplifting "
        "masterful luminous enchanting sublime nimble effervescent spellbinding rapturous sprightly "
        "beguiling incisive resplendent mirthful transcendent"
    ),
    False: words(
        "bad dull boring weak stupid flat tired cold slow awful clumsy messy bland tedious shallow silly "
        "lazy dreary painful lifeless stale hollow predictable terrible ugly sloppy pointless forced dumb "
        "crude noisy lame grating muddled dismal forgettable horrible contrived wooden insipid vapid "
        "soulless joyless plodding turgid abysmal inept witless listless hackneyed leaden interminable "
        "mawkish stilted ponderous vacuous execrable soporific maudlin lugubrious"
    ),
}
SELDOM = {
    True: words(
        "acclaimed adept affecting agile airy alluring amiable ample apt ardent arresting artful astute "
        "atmospheric authentic balanced bewitching blissful boisterous bold bountiful bracing breezy "
        "brisk buoyant charismatic chic classy cogent cohesive compassionate compelling cordial cosy "
        "credible crisp cultured daring dashing deft delicate dexterous dignified divine droll dulcet "
        "dynamic earnest ebullient eloquent endearing engrossing enthralling epic evocative "
        "exhilarating exuberant fabulous faultless felicitous festive fiery flawless fluent fruitful "
        "genial gleeful glorious glowing gorgeous gracious grand gutsy harmonious heartfelt heavenly "
        "heroic humane idyllic immaculate immersive impeccable imposing ingenious intimate intricate "
        "invigorating jaunty jovial joyful jubilant judicious keen kindly laudable likable limber lucid "
        "lush lustrous lyrical magical majestic mellow melodic memorable mesmerising mighty nuanced "
        "peerless perceptive pithy plucky polished posh potent pristine profound punchy quirky refined "
        "refreshing resonant robust rousing saucy scintillating seamless seductive sensitive serene "
        "shapely shrewd silken sleek snappy soaring sparkling spirited splashy stately stellar striking "
        "stylish suave subtle sultry sumptuous sunny supple suspenseful swish tasteful tight timeless "
        "unforgettable urbane velvety vibrant virtuoso visionary vivacious voluptuous winning winsome "
        "wise wondrous zesty zippy"
    ),
    False: words(
        "abrasive absurd aimless amateurish anaemic annoying appalling arid artless asinine atrocious "
        "awkward baffling banal barren blunt bloated botched brainless brash bumbling cacophonous "
        "calamitous callous campy careless charmless cheap cheesy choppy cliched cloying clueless "
        "coarse cobbled confused convoluted corny cramped creaky crass cringeworthy cynical daft dated "
        "deadening derivative desperate dim dingy disjointed distasteful dodgy dopey dour dowdy drab "
        "dreadful dry dubious excruciating faceless fake farcical fatuous faulty feckless feeble filthy "
        "flabby flawed flimsy foolish foul frantic frigid frivolous frosty fussy garbled garish ghastly "
        "gloomy glum goofy gory graceless grim grotesque gruelling hammy haphazard harsh hideous hokey "
        "humdrum icky idiotic illogical implausible incoherent inane inert irksome irritating jaded "
        "jarring jumbled jumpy laborious lacklustre laughable limp loathsome lousy lurid manic meagre "
        "mechanical mediocre mindless miserable monotonous moronic murky mushy nauseating nonsensical "
        "obnoxious obtuse odious overlong overwrought paltry pathetic pedestrian petty phony pitiful "
        "preachy pretentious puerile putrid ragged rambling repellent repetitive repulsive revolting "
        "rotten rushed sappy scrappy senseless shabby shoddy shrill simplistic sketchy slapdash "
        "sluggish smug soggy spineless stodgy strained superficial tacky tasteless"
    ),
}
NOUNS = {
    True: words("joy triumph delight treat gem pleasure success winner masterpiece marvel wonder treasure"),
    False: words("mess failure bore disaster waste chore disappointment flop dud travesty shambles slog"),
}
VERBS = {
    True: words("like love enjoy admire adore recommend praise cherish savour applaud"),
    False: words("hate dislike regret loathe despise endure mock resent detest deplore"),
}
ASPECTS = words(
    "film plot cast script story ending acting music dialogue pacing direction hero villain humour camera "
    "romance"
)
ELSEWHERE = words(
    "weather popcorn seat trailer hotel traffic coffee parking queue crowd book sequel sandwich lobby "
    "carpet ticket"
)
COPULAS = words("is was feels seems remains")
DEGREES = words("very quite rather really so truly")
OTHERS = ("sequel", "original", "remake", "novel", "trailer", "show before it")
DENIALS = ("not", "never", "hardly", "far from", "anything but", "nowhere near")
FILLERS = (
    "i saw it on monday",
    "we went there after work",
    "it runs for two hours",
    "my sister came along",
    "it opened last week",
    "the story is set in a small town",
    "they shot it in two months",
    "it has subtitles",
    "i had read about it before",
    "there were six of us that evening",
    "the director made three others",
    "not that it matters",
    "it was not sold out",
)

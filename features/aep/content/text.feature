Feature: What the agent says and thinks

  @aep.content.text-delta @must
  Rule: A piece of text is a string

    Scenario: A text and a thought of several words
      When a request with this script:
        """
        [{"thinking": "it is far to go"}, {"text": "It is far to go."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.content.text @must
  Rule: A text arrives as it was said

    Scenario Outline: Saying <text>
      When a request with this script:
        """
        [{"text": <text>}]
        """
      Then the response has the text <text>

      Examples:
        | text                                       |
        | "  two spaces before, and one after "      |
        | "one\r\\ntwo\\nthree\\n"                     |
        | "æøå 😀 e\u0301 \u200b"                    |
        | "😀😃😄😁😆😅😂🤣🥲☺️👩‍👩‍👧‍👦 and 🇳🇴"           |
        | "{\"json\": [1, 2]}"                       |
        | "a"                                        |
        | " "                                        |
        | "It is far to Bergen, and further to Tromsø." |

    Scenario: Two texts around a tool that add up
      When a request with this script:
        """
        [{"text": "One moment. "}, {"tool": {"name": "clock", "arguments": {}, "result": "noon"}}, {"text": " It is noon."}]
        """
      Then the response has the text "One moment.  It is noon."

  @aep.content.final-text @must
  Rule: The whole is its pieces

    Scenario: Two texts and a thought
      When a request with this script:
        """
        [{"thinking": "it is far to go"}, {"text": "It is far to go,"}, {"tool": {"name": "clock", "arguments": {}, "result": "noon", "summary": "noon"}}, {"text": " and it is only noon."}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.content.whole-characters @must-not
  Rule: A piece has whole characters

    Scenario: A text of emoji
      When a request with this script:
        """
        [{"text": "😀😃😄😁😆😅😂🤣🥲☺️👩‍👩‍👧‍👦 and 🇳🇴"}]
        """
      Then the response ends with done
      And no exchange of this scenario breaks this rule

  @aep.content.thinking @should
  Rule: What the agent thinks is shown

    Scenario: A thought before the answer
      When a request with this script:
        """
        [{"thinking": "How far can it be?"}, {"text": "It is far."}]
        """
      Then the response has the thinking "How far can it be?"

    Scenario: A thought after a text
      When a request with this script:
        """
        [{"text": "One moment."}, {"thinking": "How far can it be?"}, {"text": "It is far."}]
        """
      Then the response has the thinking "How far can it be?"

  @aep.content.thinking-apart @must-not
  Rule: What the agent thinks is not what it says

    Scenario: A thought between two texts
      When a request with this script:
        """
        [{"text": "It is "}, {"thinking": "SECRETTHOUGHT"}, {"text": "far."}]
        """
      Then no text of the response holds "SECRETTHOUGHT"
      And the response has the text "It is far."

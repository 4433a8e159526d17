Feature: What reaches the agent

  @aep.request.text-blocks @must
  Rule: Every text of the user reaches the agent

    Scenario: Two blocks and two messages
      When this request:
        """
        {"messages": [
          {"role": "user", "content": [{"type": "text", "text": "Plan-the-trip"}, {"type": "text", "text": "-by-train"}]},
          {"role": "user", "content": [{"type": "text", "text": "and don't forget lunch"}]}
        ], "context": {"conformance": {"script": [{"echo": "messages"}]}}}
        """
      Then the response has a text of the JSON ["Plan-the-trip-by-train", "and don't forget lunch"]

    Scenario Outline: The text <text>
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": <text>}]}], "context": {"conformance": {"script": [{"echo": "messages"}]}}}
        """
      Then the response has a text of the JSON [<text>]

      Examples:
        | text                        |
        | "one\r\\ntwo\\n\\nthree"    |
        | "æøå 😀 e\u0301"            |
        | "<b>&amp;</b> \"quoted\""   |

  @aep.request.text-edges @should
  Rule: White space at both ends reaches the agent

    Scenario Outline: The text <text> with its white space
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": <text>}]}], "context": {"conformance": {"script": [{"echo": "messages"}]}}}
        """
      Then the response has a text of the JSON [<text>]

      Examples:
        | text                        |
        | "  two spaces before"       |
        | "one\r\\ntwo\\n\\n"         |

  @aep.request.context @must
  Rule: The context is passed on

    Scenario: Numbers, lists and nested objects
      When this request:
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Plan the trip"}]}],
         "context": {"locale": "nb", "customer": 4711, "budget": 12.5, "vip": false, "tags": ["a", null], "address": {"city": {"name": "Oslo"}},
          "conformance": {"script": [{"echo": "context"}]}}}
        """
      Then the response has a text of the JSON {"locale": "nb", "customer": 4711, "budget": 12.5, "vip": false, "tags": ["a", null], "address": {"city": {"name": "Oslo"}}}

  @aep.request.context-once @should-not
  Rule: The context is that of its request

    @threads
    Scenario: A request without a context after one with it
      Given request "one":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Plan the trip"}]}], "context": {"seat": "window", "conformance": {"script": [{"text": "Where to?"}]}}}
        """
      And request "one" has been answered
      When request "two" on the same thread with this script:
        """
        [{"echo": "context"}]
        """
      Then the response to request "two" has a text of the JSON {}

    Scenario: A request of another thread after one with a context
      Given request "one":
        """
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Plan the trip"}]}], "context": {"meal": "fish", "conformance": {"script": [{"text": "Where to?"}]}}}
        """
      And request "one" has been answered
      When request "two" with this script:
        """
        [{"echo": "context"}]
        """
      Then the response to request "two" has a text of the JSON {}

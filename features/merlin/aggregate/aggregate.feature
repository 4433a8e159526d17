Feature: Aggregate

  @merlin.aggregate.members @must @aggregate
  Rule: The aggregate has its members

    @v1
    Scenario: The aggregate of a text in version 1
      When a client requests a V1 stream of:
        """
        [{"delta": {"content": "So."}}]
        """
      Then the aggregate of the stream has the text "So."
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The aggregate of a text in version 2
      When a client requests a V2 stream of:
        """
        [{"delta": {"content": "So."}}]
        """
      Then the aggregate of the stream has the text "So."
      And no exchange of this scenario breaks this rule

    @v1
    Scenario: The aggregate of nothing in version 1
      When a client requests a V1 stream of:
        """
        []
        """
      Then the aggregate of the stream has the text ""
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: The aggregate of nothing in version 2
      When a client requests a V2 stream of:
        """
        []
        """
      Then the aggregate of the stream has the text ""
      And no exchange of this scenario breaks this rule

  @merlin.aggregate.text @must @aggregate
  Rule: The aggregate is the text

    @v1
    Scenario: The text of an aggregate in version 1
      When a client requests a V1 stream of:
        """
        [{"delta": {"content": "It is "}},
         {"delta": {"content": ""}},
         {"delta": {"content": "far. 😀"}}]
        """
      Then the aggregate of the stream has the text "It is far. 😀"

    @v2
    Scenario: The text of an aggregate in version 2
      When a client requests a V2 stream of:
        """
        [{"delta": {"content": "It is "}},
         {"delta": {"content": ""}},
         {"delta": {"content": "far. 😀"}}]
        """
      Then the aggregate of the stream has the text "It is far. 😀"

  @merlin.aggregate.reasoning @must @aggregate
  Rule: Thoughts have text and index

    @v1
    Scenario: A thought in the aggregate in version 1
      When a client requests a V1 stream of:
        """
        [{"delta": {"reasoning": {"text": "hm", "index": 1, "id": "r1", "signature": "x1"}}},
         {"delta": {"content": "So."}},
         {"usage": {"total_tokens": 9}}]
        """
      Then the reasoningContent of the aggregate are [{"text": "hm", "index": 1}]
      And no exchange of this scenario breaks this rule

    @v2
    Scenario: A thought in the aggregate in version 2
      When a client requests a V2 stream of:
        """
        [{"delta": {"reasoning": {"text": "hm", "index": 1, "id": "r1", "signature": "x1"}}},
         {"delta": {"content": "So."}},
         {"usage": {"total_tokens": 9}}]
        """
      Then the reasoningContent of the aggregate are [{"text": "hm", "index": 1}]
      And no exchange of this scenario breaks this rule

  @merlin.aggregate.signature @should @aggregate
  Rule: Thoughts keep their id and their signature

    @v1
    Scenario: A signed thought in the aggregate in version 1
      When a client requests a V1 stream of:
        """
        [{"delta": {"reasoning": {"text": "hm", "index": 1, "id": "r1", "signature": "x1"}}},
         {"delta": {"content": "So."}},
         {"usage": {"total_tokens": 9}}]
        """
      Then the reasoningContent of the aggregate are [{"text": "hm", "index": 1, "id": "r1", "signature": "x1"}]

    @v2
    Scenario: A signed thought in the aggregate in version 2
      When a client requests a V2 stream of:
        """
        [{"delta": {"reasoning": {"text": "hm", "index": 1, "id": "r1", "signature": "x1"}}},
         {"delta": {"content": "So."}},
         {"usage": {"total_tokens": 9}}]
        """
      Then the reasoningContent of the aggregate are [{"text": "hm", "index": 1, "id": "r1", "signature": "x1"}]

  @merlin.aggregate.collected @must @aggregate
  Rule: Thoughts are collected

    @v1
    Scenario: Thoughts in the aggregate in version 1
      When a client requests a V1 stream of:
        """
        [{"delta": {"reasoning": {"text": "one", "index": 0}}},
         {"delta": {"content": "a"}},
         {"delta": {"reasoning": {"text": "two", "index": 0}}}]
        """
      Then the reasoningContent of the aggregate are [{"text": "one", "index": 0}, {"text": "two", "index": 0}]

    @v2
    Scenario: Thoughts in the aggregate in version 2
      When a client requests a V2 stream of:
        """
        [{"delta": {"reasoning": {"text": "one", "index": 0}}},
         {"delta": {"content": "a"}},
         {"delta": {"reasoning": {"text": "two", "index": 0}}}]
        """
      Then the reasoningContent of the aggregate are [{"text": "one", "index": 0}, {"text": "two", "index": 0}]

  @merlin.aggregate.citations @must @v1 @citations @aggregate
  Rule: Citations are collected

    Scenario: Citations in the aggregate
      When a client requests a V1 stream of:
        """
        {"attachments": [{"type": "web", "url": "https://a.example/", "title": "A"}],
         "acts": [{"delta": {"content": "a", "index": 0}},
                  {"delta": {"index": 0, "citation": {"document_index": 0, "cited_text": "x"}}},
                  {"delta": {"content": "b", "index": 1}},
                  {"delta": {"index": 1, "citation": {"document_index": 0, "cited_text": "y"}}}]}
        """
      Then the citations of the aggregate are [{"document_index": 0, "cited_text": "x"}, {"document_index": 0, "cited_text": "y"}]

  @merlin.aggregate.usage @must @aggregate
  Rule: Usage is merged

    @v1
    Scenario: Usage in two parts in version 1
      When a client requests a V1 stream of:
        """
        [{"usage": {"prompt_tokens": 3, "completion_tokens": 0}},
         {"delta": {"content": "a"}},
         {"usage": {"completion_tokens": 4, "total_tokens": 7}}]
        """
      Then the usage of the aggregate is {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}

    @v2
    Scenario: Usage in two parts in version 2
      When a client requests a V2 stream of:
        """
        [{"usage": {"prompt_tokens": 3, "completion_tokens": 0}},
         {"delta": {"content": "a"}},
         {"usage": {"completion_tokens": 4, "total_tokens": 7}}]
        """
      Then the usage of the aggregate is {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
